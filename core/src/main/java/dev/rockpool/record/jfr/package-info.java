/**
 * The events that show what was recorded, to JDK Mission Control, {@code jfr} and whoever reads
 * recordings. Apart from the rest, because the agent puts these beside itself, not into java.base.
 *
 * <p>{@code ArenaEvents} registers and writes them. {@code ArenaHistogramEvent} is for sizes in
 * all, {@code ArenaSiteEvent} for each class that opened arenas, {@code RecorderSettingsEvent} for
 * how the pool was set. {@code Histogram} is the text in them.
 */
@NullMarked
package dev.rockpool.record.jfr;

import org.jspecify.annotations.NullMarked;
