/**
 * The command line {@code ./rockpool}. {@link dev.rockpool.cli.Main} lists the subcommands, each of
 * which is a package of its own; {@code support} holds what they share.
 *
 * <p>Exit codes: 0 it worked, 1 what was asked for failed, 2 the command line makes no sense.
 */
@NullMarked
package dev.rockpool.cli;

import org.jspecify.annotations.NullMarked;
