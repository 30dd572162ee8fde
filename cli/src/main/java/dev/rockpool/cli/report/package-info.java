/**
 * {@code ./rockpool report}: the arenas of a program, from recordings.
 *
 * <p>The way of a figure, from {@code ReportCommand}:
 *
 * <ol>
 *   <li>{@link dev.rockpool.cli.report.recording} reads the events, and adds up.
 *   <li>{@code Report} has the sums. {@code ReportTables} makes the tables of confined arenas from
 *       them, {@code HolderTables} those of all holders, with the sentences of {@code Advice}. Text
 *       and page share these tables.
 *   <li>{@code Report.text} and {@code ReportPage} show the tables; {@code ReportJson} has the
 *       figures whole.
 * </ol>
 *
 * <p>Whether the agent is worth it is arithmetic. A {@code Saving} is what one arena saves on this
 * machine, which one pair of JVMs measures. Times the recorded arenas it is the {@code Gain}, set
 * against the recorded processor time and the agent's start. The {@code Verdict} says so in words.
 *
 * <p>{@code Compared} sets two recordings side by side, and {@code Provenance} names the files.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
