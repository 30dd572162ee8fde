/** The subcommand {@code top}: figures of a running JVM, as they change. */
@NullMarked
package dev.rockpool.cli.top;

import org.jspecify.annotations.NullMarked;
