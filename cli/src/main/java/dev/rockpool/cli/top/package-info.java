/**
 * The subcommand {@code top}: figures of a running JVM, as they change. {@code LiveFigures} reads
 * them, {@code Frame} is their text at one moment, and {@code Screen} shows frames and takes keys.
 */
@NullMarked
package dev.rockpool.cli.top;

import org.jspecify.annotations.NullMarked;
