/**
 * {@code ./rockpool bench}: runs the benchmarks on one JDK or several and writes a report.
 *
 * <p>{@code BenchCommand} plans; {@code Jmh} starts class {@code dev.rockpool.bench.Main}, which
 * runs JMH, for each {@code Jvm} and {@code Mode}. {@code Result} is one figure; {@code Group} puts
 * those together that may be compared; {@code BenchReport} shows them in all forms. {@code
 * ProgramRuns} runs whole programs instead.
 */
@NullMarked
package dev.rockpool.cli.bench;

import org.jspecify.annotations.NullMarked;
