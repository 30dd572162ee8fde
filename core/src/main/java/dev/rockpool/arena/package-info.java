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
 *   kept    -- an arena is opened; or first needs room that a block has ------&gt;  owned
 *   owned   -- its arena is closed: zeroed as far as it was used -------------&gt;  kept
 *
 *   malloc  -- the same, where none is found kept and a limit has room -------&gt;  owned
 *   owned   -- its arena is closed, and enough are kept there ----------------&gt;  free
 *   kept    -- the thread has ended: by the housekeeper, once a second,
 *              by a thread that comes new, or where statistics are read ------&gt;  free
 *           -- nobody can reach the pool: by the housekeeper -----------------&gt;  free
 *           -- the library is unloaded, with an undeployed application -------&gt;  lost
 *   owned   -- its arena is never closed: its segments may be alive ----------&gt;  owned for good
 *
 *   kept by           whose arenas                                           how many
 *   a thread          its own, and those of virtual threads that it carries  8 by default
 *   a stripe, which   the first 16 of a platform thread, under the agent;    1
 *   threads share     where the carrier can't be reached; without heap
 * </pre>
 *
 * <p>An arena that is opened takes a block of its thread, or of the thread that carries it; if none
 * is kept there, it takes one of a stripe or a new one when it first needs it. A virtual thread may
 * close an arena on another carrier than it opened it on: the block comes along, and is kept or
 * freed where the arena is closed. So no thread ever keeps more than its eight, and whoever waits
 * inside an arena holds one.
 *
 * <p>What does not fit the block is allocated by the JDK's own arena with the same scope. So is
 * everything in an arena that gets no block, because the system has no memory, or because the pool
 * has its share of a limit: about an eighth. The pool never gives memory back to others under that
 * limit, because only a thread itself may move what it keeps.
 *
 * <p>Any call may throw an Error, the JVM's own at any time: then a block may be lost. But a block
 * is never in two places, because it is forgotten where it was before it is noted where it goes.
 * And it is zero when an arena gets it, unless native code wrote beside a segment or after close,
 * which {@code rockpool.check} finds.
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
