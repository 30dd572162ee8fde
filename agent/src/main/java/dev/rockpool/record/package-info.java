/**
 * The sites of a program, and what they hold. A limit charges a {@code Site}; a recording adds how
 * much was opened, is live, and leaked, and of confined arenas also the sizes. Writes events of JDK
 * Flight Recorder. The agent defines these classes in java.base, with options {@code limit} and
 * {@code record}.
 *
 * <pre>
 *   confined: RecordedArena --opened, allocated, closed--&gt; SiteCounts
 *               | the first, 1 in 8192, or large               | Recorder adds them up
 *               v                                              v
 *   others:   Holding &lt;--opened, closed, freed or leaked--&gt; RecordedSite --&gt; HolderEvents
 * </pre>
 *
 * <p>A {@code Holding} tells its site, which keeps it while it is open. Nothing else here leads
 * back.
 *
 * <p>Confined arenas are many and short, so they are counted:
 *
 * <ul>
 *   <li>{@code RecordedArena} wraps an arena, pooled or not, and sums up its requests.
 *   <li>{@code SiteCounts} counts the arenas of one site and one platform thread: opened ones, and
 *       closed ones by their bytes. Virtual threads count at their carrier. Threads do not share a
 *       counter, so counting takes a few plain additions.
 *   <li>{@code Recorder} finds the current thread's counts, and adds up those of all threads. What
 *       was opened and not closed is live; and if the thread has ended, it has leaked.
 * </ul>
 *
 * <p>Shared, automatic and global arenas, direct buffers and mapped files are rarer and slower, so
 * each has a {@code Holding} of its own. So have the confined arenas that are <em>followed</em>:
 * the first that a thread opens at a site, then one in many, and each large one.
 *
 * <ul>
 *   <li>A {@code Site} has a number, a kind, and what is charged to it. A {@code RecordedSite} has
 *       its open holdings, the counts of all, their stacks, {@code Lifetimes} and {@code Growth}.
 *       Sites hold names and no classes.
 *   <li>A {@code Holding} is {@code Watched}. Memory that the JDK frees by itself is freed once its
 *       object is unreachable, or when the JDK's rewritten methods free a buffer. Other memory
 *       leaks once nobody can close it any more.
 *   <li>{@code HoldingArena} wraps a shared, automatic or global arena.
 *   <li>{@code Holdings} chooses the confined arenas to follow, and looks at all sites once a
 *       second, on the housekeeper's thread. The stack of a large confined arena is that of the
 *       allocation that made it large.
 * </ul>
 *
 * <p>Memory that Java code takes by address has {@code Holding}s, too, which {@code Allocations}
 * finds again by their addresses: that of {@code sun.misc.Unsafe}, and that of handles for {@code
 * malloc} and its kin, which {@code LinkedAllocators} wraps when the program links them. These
 * classes also charge that memory, and the JDK's direct buffers, where option {@code limit} bounds
 * them. {@code Callers} finds the lines of the program.
 *
 * <p>{@code Owners} counts Java objects that own C memory of which the size is not known. They have
 * {@code Holding}s of no bytes, each found again by the identity of its object.
 *
 * <p>{@code ProcessMemory} looks at the whole process. {@code JvmCommand} has the JVM's own
 * commands executed, {@code MemoryMap} sums up the mappings that one of them lists, by {@code
 * ProcessPart}; the report subtracts what overlaps. {@code GarbageCollections} counts garbage
 * collections, full ones apart, so that a site knows what it kept beyond them.
 *
 * <p>{@code ArenaEvents} registers all events. {@code HolderEvents} are those of the sites: sums of
 * all kinds since the agent came, by site, by stack and by kind, and the confined arenas that were
 * closed since the last ones; {@code BufferPools} has the JVM's own figures. If the agent comes
 * again, all starts anew.
 *
 * <p>Apart from these, {@code CCode} records what C code holds, by {@code AsyncProfiler}, which the
 * agent's jar does not contain: live memory, and the pages that C code touches.
 *
 * <p>While threads are at work, figures may be a few arenas behind; after the threads' end, figures
 * are exact. If stack or heap is exhausted in here, the program's own call throws the error, and an
 * arena may go uncounted. No code of the program runs under a lock.
 */
@NullMarked
package dev.rockpool.record;

import org.jspecify.annotations.NullMarked;
