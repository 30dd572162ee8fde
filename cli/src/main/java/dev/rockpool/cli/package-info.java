/**
 * The command line {@code ./rockpool}. {@link dev.rockpool.cli.Main} lists the subcommands. Package
 * {@code attach} has those for running JVMs, {@code compare} {@code demo} and {@code example}; the
 * others have the package of their name. Their common code is in {@code support} and {@code page}.
 */
@NullMarked
package dev.rockpool.cli;

import org.jspecify.annotations.NullMarked;
