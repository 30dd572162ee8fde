/**
 * Code that subcommands share: where Rockpool's files are, child processes, what the machine is,
 * and tables, figures and progress for the terminal.
 */
@NullMarked
package dev.rockpool.cli.support;

import org.jspecify.annotations.NullMarked;
