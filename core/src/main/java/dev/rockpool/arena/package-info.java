/**
 * Confined arenas that take their memory from a pool instead of from malloc.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas#ofConfined()}, a drop-in for {@link
 * java.lang.foreign.Arena#ofConfined()}. {@link dev.rockpool.arena.ArenaPool} is for programs that
 * need a pool with other sizes; its {@link dev.rockpool.arena.PoolStatistics} count what a pool
 * served. The rest of the package is not public.
 *
 * <p>A block is some native memory, by default 512 bytes. It is in one place: kept by a thread, or
 * owned by one open arena. There is no other record of who has it:
 *
 * <pre>
 *                open, or the first allocation: taken from the thread or carrier
 *   kept  ---------------------------------------------------------------------&gt;  owned
 *   all bytes zero                                                                by one open arena
 *         &lt;---------------------------------------------------------------------
 *                close: the bytes used are zeroed, and the thread or carrier that closes
 *                keeps the block; it frees the block if it keeps enough
 *
 *   malloc  -- an allocation, where the thread keeps none --&gt;  owned, fresh  -- close --&gt;  free
 * </pre>
 *
 * <p>An allocation for which the thread keeps no block costs what the JDK's costs: the block is
 * fresh, of just the size asked, and freed at close. On that occasion a block of the usual size is
 * allocated for the thread, if it keeps fewer than it may. So threads that wait, end early or open
 * many arenas cost what they cost without a pool. An arena that outgrows its block takes one larger
 * block, of 8 KiB, likewise kept or fresh. Beyond that, the JDK's own arena with the same scope
 * allocates.
 *
 * <p>If an Error is thrown out of these classes, for example where the stack ends, a block may be
 * lost. But a block is always zero when an arena gets it, and never in two places.
 *
 * <ul>
 *   <li>{@code BlockArena} is the arena of users. A confined arena of the JDK, or under the agent
 *       its session, checks lifetime and confinement of all segments.
 *   <li>{@code ThreadBlocks} are the blocks that one platform thread keeps, for itself and for the
 *       virtual threads that it carries. {@code StripedBlocks} serve threads that keep none.
 *   <li>{@code BlockPool} finds the blocks of the current thread in a few instructions. {@code
 *       PoolMemory} knows those of all threads, and frees them once a thread has ended.
 *   <li>{@code PoolMonitor} shows the shared pool to JMX ({@link
 *       dev.rockpool.arena.ArenaPoolMXBean}) and to JDK Flight Recorder, once these are started.
 *   <li>{@code CheckedArena} replaces all of these if memory is checked. Each allocation is a
 *       {@code GuardedBlock}, which stays in the {@code Quarantine} before it is freed.
 * </ul>
 */
@NullMarked
package dev.rockpool.arena;

import org.jspecify.annotations.NullMarked;
