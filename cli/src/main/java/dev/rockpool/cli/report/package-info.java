/**
 * {@code ./rockpool report}: the arenas of a program, from recordings.
 *
 * <p>The way of a figure, from {@code ReportCommand}:
 *
 * <ol>
 *   <li>{@link dev.rockpool.cli.report.recording} reads the events, and adds up.
 *   <li>{@code Report} has the sums. {@code HitRates} are the arenas that fit in a block.
 *   <li>{@code ReportTables} has the tables of confined arenas, {@code HolderTables} those of all
 *       holders, with the sentences of {@code Advice}. Text and page share these tables.
 *   <li>{@code Report.text} and {@code ReportPage} show the tables; {@code ReportJson} has the
 *       figures whole.
 * </ol>
 *
 * <p>{@code Compared} sets two recordings side by side, and {@code Provenance} names the files.
 *
 * <p>The recorded arenas are a {@code Load} for each kind of thread. A {@code Calibration} opens
 * such arenas in other JVMs, without and with the agent; {@code Savings} set the gain against start
 * and processor time, and the {@code Verdict} says so in words.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
