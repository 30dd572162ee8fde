/**
 * Records native memory that a program's Java code allocates: by call site, how much was opened, is
 * live, and leaked; of confined arenas also the sizes. Writes events of JDK Flight Recorder. Used
 * under the agent only, with option {@code record}.
 *
 * <pre>
 *   confined: RecordedArena --opened, closed--&gt; ThreadSite, of ThreadTallies: a Tally for each Shape
 *               | 1 in 8192, or large                          | thread ended, or too many shapes
 *               v                                              v
 *   others:   Holding: new --&gt; open --&gt; ended              TallyRegistry --sums--&gt; ArenaEvents
 *               |                     closed, freed or leaked  | by site
 *               v                                              v
 *             Site, lists its open Holdings ---------------&gt; Holdings --&gt; HoldingEvents
 * </pre>
 *
 * <p>Confined arenas:
 *
 * <ul>
 *   <li>{@code RecordedArena} wraps an arena, pooled or not, and sums up its requests.
 *   <li>{@code Shape} packs the site, the kind of thread, and the bucket of each size into one
 *       number. Arenas of one shape are counted together. The depth is the number of arenas that
 *       the thread had open before.
 *   <li>{@code Tally} counts one shape; {@code ThreadTallies} has the tallies of one platform
 *       thread and of the virtual threads that it carries, and a {@code ThreadSite} for each site.
 *       A {@code ThreadSite} counts the arenas opened, and remembers the last tally. Threads do not
 *       share a counter, so counting takes a few plain additions. Live arenas are the opened ones
 *       of all threads less the closed ones.
 *   <li>{@code Recorder} finds the current thread's place for a site, as {@code BlockPool} finds
 *       blocks. It also counts the open arenas of virtual threads, approximately. {@code
 *       TallyRegistry} knows the tallies of all threads, keeps those of ended threads, and sums up
 *       all of them for a reader.
 * </ul>
 *
 * <p>Shared, automatic and global arenas, direct buffers and mapped files are rarer and slower, so
 * each has a {@code Holding} of its own. So has one confined arena in many, and each large one.
 *
 * <ul>
 *   <li>{@code Sites} numbers the call sites, by name and kind. A {@code Site} has the list of its
 *       open holdings and their counts, both guarded by the site. Sites hold names and no classes.
 *   <li>A {@code Holding} is a phantom reference. Memory that the JDK frees by itself is freed once
 *       its object is unreachable. Other memory leaks once its {@code Closer} is unreachable,
 *       because every object that can close the memory holds the closer.
 *   <li>{@code HoldingArena} wraps a shared, automatic or global arena.
 *   <li>{@code Holdings} chooses confined arenas, takes unreachable holdings off the queue, and
 *       looks at all sites once a second, on the housekeeper's thread.
 * </ul>
 *
 * <p>A leak's stack is that of the opening: {@code Holdings.stackFor} takes the stack when the
 * holding is made. The stack of a large confined arena is that of the allocation that made it
 * large.
 *
 * <p>{@code ArenaEvents} registers all events, and writes the counts of confined arenas since the
 * last ones. {@code HoldingEvents} has the sums of all kinds since the agent's start, by site, by
 * stack and by kind.
 *
 * <p>While threads are at work, figures may be a few arenas behind; after the threads' end, figures
 * are exact. If stack or heap is exhausted, the program gets its arena or buffer, perhaps
 * uncounted. No code of the program runs under a lock.
 */
@NullMarked
package dev.rockpool.record;

import org.jspecify.annotations.NullMarked;
