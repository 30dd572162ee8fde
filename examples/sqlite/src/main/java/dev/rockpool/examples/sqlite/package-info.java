/**
 * A binding of SQLite, by java.lang.foreign alone, on the library that the system has.
 *
 * <p>{@link dev.rockpool.examples.sqlite.Database} and {@link
 * dev.rockpool.examples.sqlite.Statement} are what a program sees. They stand on {@code Sqlite3},
 * the functions of the C library in C's own terms. Native memory that a call needs, a string or a
 * place for a result, comes from a confined arena that lives as long as the call:
 *
 * {@snippet :
 * try (Arena arena = Arena.ofConfined()) {
 *   MemorySegment text = arena.allocateFrom(value);
 *   ...
 * }
 * }
 */
@NullMarked
package dev.rockpool.examples.sqlite;

import org.jspecify.annotations.NullMarked;
