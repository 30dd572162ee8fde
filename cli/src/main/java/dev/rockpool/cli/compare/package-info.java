/**
 * Programs without and with the agent: the subcommands {@code demo} and {@code example}.
 *
 * <p>{@link dev.rockpool.cli.compare.AgentRoute} is the way of the agent into a JVM; {@code
 * Comparison} has the figures of all runs of a program; {@code ComparisonTable} shows comparisons.
 * {@code Workloads} are programs that measure themselves, of package {@code demo} or examples;
 * {@code DemoCommand} times any other program, and says in words what the agent did to it.
 *
 * <p>An example is a jar {@code examples/NAME/target/rockpool-example-NAME.jar} that prints the
 * names of its workloads for {@code --list}. For {@code --csv --seconds N WORKLOAD} it prints a
 * header and a line that {@code Comparison} reads.
 */
@NullMarked
package dev.rockpool.cli.compare;

import org.jspecify.annotations.NullMarked;
