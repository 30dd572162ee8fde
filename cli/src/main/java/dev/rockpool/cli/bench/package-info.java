/**
 * {@code ./rockpool bench}: runs the benchmarks on one JDK or several and writes a report.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.bench.BenchCommand} is the command line.
 *   <li>{@code Jvm} is a JDK to measure on; {@code Mode} a kind of JVM and thread there; {@code
 *       Jmh} starts JMH, whose JSON holds the results.
 *   <li>{@code Result} is one figure; {@code Group} puts those together that may be compared: same
 *       workload, same kind of JVM and thread. {@code BenchReport} shows them in all forms.
 *   <li>{@code WholeProgram} runs from start to end, for {@code ProgramRuns}, which is {@code
 *       --start} and {@code --load}, and for {@code ForecastRuns}.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.bench;

import org.jspecify.annotations.NullMarked;
