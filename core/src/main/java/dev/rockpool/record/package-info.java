/**
 * Records the sizes of a program's arenas: counts arenas when they are closed, for JDK Flight
 * Recorder to read. Used under the agent only, with option {@code record}.
 *
 * <ul>
 *   <li>{@code RecordedArena} wraps an arena, pooled or not, and sums up its requests.
 *   <li>{@code Shape} packs the site, the kind of thread, and the bucket of each size into one
 *       number. Arenas of one shape are counted together.
 *   <li>{@code Tally} counts one shape; {@code ThreadTallies} has the tallies of one platform
 *       thread and of the virtual threads that it carries. Threads do not share a counter, so
 *       counting takes a few plain additions.
 *   <li>{@code Recorder} finds the tallies of the current thread, as {@code Pool} finds slabs.
 *       {@code TallyRegistry} knows the tallies of all threads, keeps those of ended threads, and
 *       sums up all of them for a reader.
 *   <li>{@code OpenOnVirtual} counts the open arenas of virtual threads, approximately.
 *   <li>{@code Sites} numbers the classes that open arenas.
 *   <li>{@code Unreported} returns the counts since the last report.
 * </ul>
 *
 * <p>While threads are at work, figures may be a few arenas behind; after the threads' end, figures
 * are exact. The agent defines these classes in java.base. It defines those of {@code
 * dev.rockpool.record.jfr} elsewhere, because java.base has no flight recorder.
 */
@NullMarked
package dev.rockpool.record;

import org.jspecify.annotations.NullMarked;
