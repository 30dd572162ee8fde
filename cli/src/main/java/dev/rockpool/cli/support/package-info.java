/**
 * Code that subcommands share.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.support.CommandFailure} is each failure that a user can act on.
 *   <li>{@link dev.rockpool.cli.support.RunningJvm} asks another JVM, with a deadline; {@link
 *       dev.rockpool.cli.support.ChildProcess} runs one.
 *   <li>{@link dev.rockpool.cli.support.TerminalText}, {@link dev.rockpool.cli.support.Headline},
 *       {@link dev.rockpool.cli.support.Progress} and {@link dev.rockpool.cli.support.OutputFile}
 *       are the ways out.
 *   <li>{@link dev.rockpool.cli.support.Installation} and {@link dev.rockpool.cli.support.Host} say
 *       where Rockpool's files are, and what the machine is.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.support;

import org.jspecify.annotations.NullMarked;
