/**
 * What sizes a program's arenas have: counted as they close, read by JDK Flight Recorder. Under the
 * agent only, with its option {@code record}.
 *
 * <ul>
 *   <li>{@code RecordedArena}, beside the arenas that it wraps, adds up what it is asked for.
 *   <li>{@code Shape} makes one number of that: the site, the kind of thread, and the bucket of
 *       each size. All arenas of one shape are counted together.
 *   <li>{@code Tally} counts one shape; {@code ThreadTallies} are those of one platform thread, and
 *       of the virtual threads that it carries. No counter is shared by threads: to count is a few
 *       plain additions.
 *   <li>{@code Recorder} finds the tallies of the current thread, as {@code SlabTable} finds its
 *       slabs. {@code TallyRegistry} knows those of all threads, keeps what ended ones counted, and
 *       adds it all up for whoever reads.
 *   <li>{@code OpenOnVirtual} knows how deep arenas of virtual threads are nested, at best.
 *   <li>{@code Sites} numbers the classes that open arenas.
 *   <li>{@code Unreported} is what was counted since it was last read.
 * </ul>
 *
 * <p>What was counted is kept: read while threads are at work, figures may be a few arenas behind;
 * after their end they are exact. The agent defines these classes in java.base, those of {@code
 * dev.rockpool.record.jfr} outside of it, as java.base has no flight recorder.
 */
@NullMarked
package dev.rockpool.record;

import org.jspecify.annotations.NullMarked;
