/**
 * Arenas for as long as one likes, as mixed as can be, each byte of them checked: {@code SoakIT}.
 *
 * <p>{@code Lanes} are threads of all kinds, long-lived, short-lived and virtual, each on a {@code
 * Walk}: it opens arenas, nests them, makes {@code Request}s of all sizes, waits, and closes them
 * in any order. {@code Checker} knows all memory in use by its {@code Owner}, whose mark is in each
 * byte of it; it fails with a {@code Violation} as soon as memory is handed out that is not zero or
 * somebody else's already, or memory in use changes. {@code Soak} is the program: it prints a
 * {@code Reading} of the memory now and then, and looks at the pool itself in the end.
 */
package dev.rockpool.bench.soak;
