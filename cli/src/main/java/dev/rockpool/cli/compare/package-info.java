/**
 * Programs without and with the agent: the subcommand {@code demo}.
 *
 * <p>{@link dev.rockpool.cli.compare.AgentRoute} is the way of the agent into a JVM; {@code
 * Comparison} has the figures of all runs of a program; {@code ComparisonTable} shows comparisons.
 * {@code Workloads} are calls that measure themselves, of package {@code demo}; {@code DemoCommand}
 * times any other program, and says in words what the agent did to it.
 */
@NullMarked
package dev.rockpool.cli.compare;

import org.jspecify.annotations.NullMarked;
