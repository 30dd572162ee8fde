/**
 * Confined arenas that take their memory from a pool instead of from malloc.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas#ofConfined()}, a drop-in for {@link
 * java.lang.foreign.Arena#ofConfined()}. {@link dev.rockpool.arena.ArenaPool} is for programs that
 * need a pool with other sizes; its {@link dev.rockpool.arena.PoolStatistics} count what a pool
 * served. The rest of the package is not public.
 *
 * <p>A block is some native memory; all blocks of a pool have one size, by default 512 bytes. A
 * block is in one place: kept for the next arena, or owned by one open arena. There is no other
 * record of who has it:
 *
 * <pre>
 *   kept    -- an arena is opened, or allocates first ------------------------&gt;  owned
 *   owned   -- its arena is closed: zeroed as far as it was used -------------&gt;  kept
 *
 *   malloc  -- an arena allocates first, and none is kept here ---------------&gt;  owned
 *   owned   -- its arena is closed, and enough are kept here -----------------&gt;  free
 *   kept    -- the thread has ended: by the housekeeper, once a second -------&gt;  free
 *           -- nobody can reach the pool: by the housekeeper -----------------&gt;  free
 *
 *   kept by           whose arenas                                           how many
 *   a thread          its own, and those of virtual threads that it carries  8 by default
 *   a stripe, which   the first 16 of a platform thread, under the agent     1
 *   threads share     those of virtual threads whose carrier is out of reach
 * </pre>
 *
 * <p>"Here" is the thread that runs the call, or carries it. A virtual thread may close an arena on
 * another carrier than it opened it on: the block comes along, and is kept or freed where the arena
 * is closed. So no thread ever keeps more than its blocks, and whoever waits inside an arena holds
 * one. The block of an arena that is never closed is never freed: its segments may be alive.
 *
 * <p>What does not fit the block is allocated by the JDK's own arena with the same scope. So is
 * everything in an arena that gets no block, because the system has no memory, or because the pool
 * has its share of a limit. Other memory under that limit never waits for blocks: only the thread
 * that keeps a block may move it, so the pool gives none back, and takes at most an eighth.
 *
 * <p>If an Error is thrown out of these classes, for example where the stack ends, a block may be
 * lost. But a block is always zero when an arena gets it, and never in two places.
 *
 * <ul>
 *   <li>{@code BlockArena} is the arena of users. A {@code Lifetime} checks lifetime and
 *       confinement of all segments: a confined arena of the JDK, or under the agent its session.
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
