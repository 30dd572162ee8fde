/**
 * {@code ./rockpool bench}: runs the benchmarks on one JDK or several and writes a report.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.bench.BenchCommand} is the command line and the order of events.
 *   <li>{@code Jvm} is a JDK to measure on; {@code Jmh} starts JMH there, {@code JmhLog} follows
 *       what it says while it runs, {@code BenchmarkList} and {@code JmhResults} read what it is
 *       going to run and what came out.
 *   <li>{@code Result} is one figure; {@code Comparison} puts those together that may be compared:
 *       same workload, same parameters, same JVM, same kind of thread.
 *   <li>{@code Report} is all of it, and {@code ReportJson}, {@code ReportText} and {@code
 *       ReportPage} are three ways to show it; {@code SweepPicture} draws a part of it with {@code
 *       Svg}.
 *   <li>{@code ProgramRuns} is {@code --start} and {@code --load}: whole {@code Program}s, of which
 *       {@code BreakEven} draws a picture.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.bench;

import org.jspecify.annotations.NullMarked;
