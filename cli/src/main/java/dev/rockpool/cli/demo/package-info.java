/**
 * The subcommand {@code demo}: the same program without and with the agent. {@link
 * dev.rockpool.cli.demo.CallsDemo} runs our own, {@link dev.rockpool.cli.demo.CommandDemo} any.
 */
@NullMarked
package dev.rockpool.cli.demo;

import org.jspecify.annotations.NullMarked;
