/**
 * Records the sizes of a program's arenas: counts arenas when they are closed, and writes the
 * counts as events of JDK Flight Recorder. Used under the agent only, with option {@code record}.
 *
 * <pre>
 *   RecordedArena --closed--&gt; Recorder --finds--&gt; ThreadTallies: a Tally for each Shape
 *                                                       | thread ended, or too many shapes
 *                                                       v
 *   recording &lt;--end of chunk-- ArenaEvents &lt;-- sums -- TallyRegistry
 * </pre>
 *
 * <ul>
 *   <li>{@code RecordedArena} wraps an arena, pooled or not, and sums up its requests.
 *   <li>{@code Shape} packs the site, the kind of thread, and the bucket of each size into one
 *       number. Arenas of one shape are counted together. {@code Sites} numbers the classes that
 *       open arenas.
 *   <li>{@code Tally} counts one shape; {@code ThreadTallies} has the tallies of one platform
 *       thread and of the virtual threads that it carries. Threads do not share a counter, so
 *       counting takes a few plain additions.
 *   <li>{@code Recorder} finds the tallies of the current thread, as {@code Pool} finds slabs. It
 *       also counts the open arenas of virtual threads, approximately. {@code TallyRegistry} knows
 *       the tallies of all threads, keeps those of ended threads, and sums up all of them for a
 *       reader.
 *   <li>{@code ArenaEvents} registers the events, and writes the counts since the last ones. {@code
 *       ArenaHistogramEvent} has the sizes of all arenas, {@code ArenaSiteEvent} the arenas of one
 *       class, {@code RecorderSettingsEvent} the JVM and the settings of its pool, {@code
 *       OpenArenasEvent} the virtual threads that have arenas open.
 * </ul>
 *
 * <p>While threads are at work, figures may be a few arenas behind; after the threads' end, figures
 * are exact. The agent defines these classes in java.base.
 */
@NullMarked
package dev.rockpool.record;

import org.jspecify.annotations.NullMarked;
