/**
 * Code that subcommands share: where Rockpool's files are, child processes, running JVMs, what the
 * machine is, files for results, and progress on the terminal.
 */
@NullMarked
package dev.rockpool.cli.support;

import org.jspecify.annotations.NullMarked;
