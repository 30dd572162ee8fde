/**
 * Confined arenas that take their memory from a pool instead of from malloc.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas#ofConfined()}, a drop-in for {@link
 * java.lang.foreign.Arena#ofConfined()}. {@link dev.rockpool.arena.ArenaPool} is for programs that
 * need a pool with other sizes; its {@link dev.rockpool.arena.PoolStatistics} count what a pool
 * served. The rest of the package is not public:
 *
 * <ul>
 *   <li>{@code PooledArena} is the arena of users. It allocates in slabs, and zeroes the slabs at
 *       close. A regular confined arena of the JDK, or under the agent its session, checks lifetime
 *       and confinement of all segments.
 *   <li>{@code ThreadSlabs} has one platform thread's slabs, and a bit for each taken slab. Arenas
 *       take runs of adjacent slabs ({@code Run}). Virtual threads use the slabs of their carrier,
 *       if the carrier can be reached.
 *   <li>{@code SharedSlabs} has slots that all threads share, for one slab each, claimed by CAS.
 *       One set serves virtual threads, one young platform threads, and one has larger slabs for
 *       arenas that outgrow a run.
 *   <li>{@code Pool} finds the slabs of the current thread in a few instructions. {@code
 *       SlabRegistry} knows the slabs of all threads, and passes on those of ended threads.
 *   <li>{@code Pool.Upkeep} frees unused memory once a second, and all but owned slabs when the
 *       pool is unreachable.
 *   <li>{@code Admission} denies slabs where they do not pay off: to a young thread under the
 *       agent, and to virtual threads where many wait inside their arenas.
 *   <li>{@code SlabFirstArena} sends each {@code allocateFrom} to the slab or to the regular arena;
 *       {@code InlinedArena} does so for strings, under the agent.
 *   <li>{@code CallArenas} has a pool of its own for the buffers of the linker, under the agent.
 *   <li>{@code PoolMonitor} shows pools to JMX ({@link dev.rockpool.arena.ArenaPoolMXBean}), and
 *       the shared one to JDK Flight Recorder, once these are started.
 *   <li>{@code CheckedArena} replaces all of these if memory is checked. Each allocation is a
 *       {@code GuardedBlock}, which stays in the {@code Quarantine} before it is freed.
 * </ul>
 *
 * <p>The states of a thread's slab, checked by {@code ThreadSlabs.checkInvariants}:
 *
 * <pre>
 *            acquire: the arena is opened, or grows
 *   free  --------------------------------------------------&gt;  owned
 *  all bytes zero                                               used by one arena
 *     ^  ^                                                        |   |   |
 *     |  '---- release: arena closed, then used bytes zeroed -----'   |   | stack or heap ended
 *     |                                                               |   | within the close
 *     '-- collect: by its thread -- returned &lt;-- release from elsewhere   v
 *                                   all bytes zero    the same, by a    abandoned
 *                                       ^             virtual thread      |
 *                                       |             on another carrier  |
 *                                       '---- return: by the housekeeper -'
 * </pre>
 *
 * <p>{@code SharedSlabs} draws the states of a slab in a shared slot, {@code Quarantine} those of a
 * guarded block. A slab whose arena is never closed stays owned, even after the thread's end,
 * because its segments may still be alive.
 *
 * <p>Accesses with a memory order have it in their names: {@code getOpaque}, {@code setRelease}.
 * {@code compareAndSet} has volatile semantics. All other accesses are plain.
 */
@NullMarked
package dev.rockpool.arena;

import org.jspecify.annotations.NullMarked;
