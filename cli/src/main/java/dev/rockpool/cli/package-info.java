/**
 * The command line {@code ./rockpool}. {@link dev.rockpool.cli.Main} lists the subcommands. Package
 * {@code attach} has those for running JVMs, {@code compare} {@code demo} and {@code example}; the
 * others have the package of their name. Their common code is in {@code support} and {@code page}.
 *
 * <p>Exit codes: 0 it worked, 1 what was asked for failed, 2 the command line makes no sense.
 */
@NullMarked
package dev.rockpool.cli;

import org.jspecify.annotations.NullMarked;
