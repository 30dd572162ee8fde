/**
 * {@code ./rockpool report}: what recordings say about a program's arenas.
 *
 * <p>{@link dev.rockpool.cli.report.recording} reads and adds up. The {@code Report} has the sum;
 * {@code ReportTables} are shared by text and page, and {@code ReportJson} has the figures whole.
 * {@code Compared} sets two recordings side by side, and {@code Provenance} names the files.
 *
 * <p>The recorded arenas are a {@code Load} for each kind of thread. A {@code Calibration} opens
 * such arenas in other JVMs, without and with the agent; {@code Savings} set the gain against start
 * and processor time, and the {@code Verdict} says so in words.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
