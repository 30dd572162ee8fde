/**
 * The subcommand {@code example}: a program of {@code examples/} without and with the agent, and
 * what {@code report} forecast from a recording of it. All of that is done as a user would: by
 * starting JVMs and the command line itself. {@link dev.rockpool.cli.example.ExampleComparison} is
 * the way through.
 *
 * <p>An example is a jar {@code examples/NAME/target/rockpool-example-NAME.jar} that prints the
 * names of its workloads for {@code --list}, and for {@code --csv --seconds N WORKLOAD} a header
 * and a line that {@link dev.rockpool.cli.example.RowFigures} reads.
 */
@NullMarked
package dev.rockpool.cli.example;

import org.jspecify.annotations.NullMarked;
