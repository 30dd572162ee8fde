/**
 * The subcommands {@code demo} and {@code example}: a program without and with the agent. {@link
 * dev.rockpool.cli.demo.AgentRoute} starts its JVMs, {@link dev.rockpool.cli.demo.Comparison} has
 * their figures, and {@link dev.rockpool.cli.demo.Report} shows them.
 *
 * <p>Programs: {@link dev.rockpool.cli.demo.CallsDemo}, ours; {@link
 * dev.rockpool.cli.demo.CommandDemo}, any; {@link dev.rockpool.cli.demo.Example}, one of {@code
 * examples/}.
 *
 * <p>An example is a jar {@code examples/NAME/target/rockpool-example-NAME.jar} that prints the
 * names of its workloads for {@code --list}. For {@code --csv --seconds N WORKLOAD} it prints a
 * header and a line that {@link dev.rockpool.cli.demo.Comparison.Run} reads.
 */
@NullMarked
package dev.rockpool.cli.demo;

import org.jspecify.annotations.NullMarked;
