/**
 * {@code ./rockpool report}: what recordings say about a program's arenas.
 *
 * <p>{@link dev.rockpool.cli.report.recording} reads and adds up. Here it becomes tables ({@code
 * Shares}, {@code HitRates}, {@code Misses}, {@code Spread}), a {@code Forecast} from {@code Costs}
 * that were measured elsewhere, and {@code Pictures}; {@code ReportTables} is what text and page
 * share. {@code ReportJson} has the figures whole.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
