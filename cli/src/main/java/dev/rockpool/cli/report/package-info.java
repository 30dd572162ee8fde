/**
 * {@code ./rockpool report}: what recordings say about a program's arenas.
 *
 * <p>{@link dev.rockpool.cli.report.recording} reads and adds up. Here it becomes tables ({@code
 * Shares}, {@code HitRates}, {@code Misses}, {@code Spread}) and {@code Pictures}; {@code
 * ReportTables} is what text and page share. {@code ReportJson} has the figures whole. {@code
 * Compared} sets two recordings side by side, and {@code Provenance} names the files.
 *
 * <p>The recorded arenas are a {@code Load} for each kind of thread. A {@code Calibration} opens
 * such arenas in other JVMs, without and with the agent; the {@code Forecast} sets the gain against
 * start and processor time, and the {@code Verdict} says so in words.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
