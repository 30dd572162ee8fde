/**
 * {@code ./rockpool bench}: runs the benchmarks on one JDK or several and writes a report.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.bench.BenchCommand} is the command line.
 *   <li>{@code Jvm} is a JDK to measure on; {@code Mode} a kind of JVM and thread there; {@code
 *       Plan} is what to measure in it; {@code Jmh} starts JMH, whose JSON holds the results;
 *       {@code Bench} is the order of events.
 *   <li>{@code Result} is one figure; {@code Comparison} puts those together that may be compared:
 *       same workload, same parameters, same JVM, same kind of thread.
 *   <li>{@code Report} is all of it as text and JSON, and {@code ReportPage} as a page.
 *   <li>{@code ProgramRuns} is {@code --start} and {@code --load}: whole {@code Program}s.
 *   <li>{@code Pictures} are for documents; {@code LinePicture} draws them.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.bench;

import org.jspecify.annotations.NullMarked;
