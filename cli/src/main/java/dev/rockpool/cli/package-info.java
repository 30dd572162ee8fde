/**
 * The command line {@code ./rockpool}. {@link dev.rockpool.cli.Main} lists the subcommands, turns
 * failures into messages and exit codes, and has all output filtered for terminals.
 *
 * <p>Package {@code attach} has the subcommands for running JVMs, but {@code top}; {@code compare}
 * has {@code demo} and {@code example}; the others have the package of their name. Their common
 * code is in {@code support}, and tables and pages are in {@code page}.
 */
@NullMarked
package dev.rockpool.cli;

import org.jspecify.annotations.NullMarked;
