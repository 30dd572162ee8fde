/**
 * The events with the recorded counts, for JDK Mission Control, {@code jfr} and other readers of
 * recordings. A separate package, because the agent defines these classes beside itself, not in
 * java.base.
 *
 * <p>{@code ArenaEvents} registers and writes the events. {@code ArenaHistogramEvent} has the sizes
 * of all arenas, {@code ArenaSiteEvent} the arenas of one class, {@code RecorderSettingsEvent} the
 * settings of the pool. {@code Histogram} makes text of counts.
 */
@NullMarked
package dev.rockpool.record.jfr;

import org.jspecify.annotations.NullMarked;
