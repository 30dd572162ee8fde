/**
 * Confined arenas that take their memory from a pool instead of from malloc.
 *
 * <p>{@link dev.rockpool.arena.Arenas#ofConfined()} is the way in, a drop-in for {@link
 * java.lang.foreign.Arena#ofConfined()}; {@link dev.rockpool.arena.ArenaPool} is for programs that
 * want a pool of their own sizes, and tells with {@link dev.rockpool.arena.PoolStatistics} what a
 * pool did. The rest of the package is how it works:
 *
 * <ul>
 *   <li>{@code PooledArena} is what users hold: a regular confined arena of the JDK, which keeps
 *       being the only judge of lifetime and confinement, plus the slabs that it owns.
 *   <li>{@code ThreadSlabs} is what one platform thread owns: a row of slabs, and a bit for each
 *       that says whether it is taken. Arenas take runs of adjacent ones ({@code Run}). Virtual
 *       threads use those of their carrier, where it can be reached.
 *   <li>{@code SharedSlabs} is what all threads share: slots for one slab each, claimed by CAS. One
 *       set serves virtual threads, another has the larger slabs for arenas that outgrow a run.
 *   <li>{@code SlabTable} is a pool: it finds the slabs of the current thread in a few
 *       instructions. {@code SlabRegistry} knows those of all threads, and passes those of ended
 *       ones on.
 *   <li>{@code PoolUpkeep} gives back what nobody uses, once a second, and all of it when the class
 *       loader goes.
 *   <li>{@code SlabFirstArena} sends each kind of {@code allocateFrom} to whichever of the two,
 *       slab or regular arena, will serve it; {@code InlinedArena} does so for strings, under the
 *       agent.
 *   <li>{@code PoolMonitor} shows the shared pool to JMX ({@link
 *       dev.rockpool.arena.ArenaPoolMXBean}) and to JDK Flight Recorder ({@code
 *       PoolStatisticsEvent}), once somebody looks.
 *   <li>{@code CheckedArena} takes the place of all that where memory is to be checked, not fast:
 *       each allocation is a {@code GuardedBlock}, which is kept aside in the {@code Quarantine}
 *       before it is freed.
 * </ul>
 *
 * <p>The states of a slab in a row, checked by {@code ThreadSlabs.checkInvariants}:
 *
 * <pre>
 *            acquire: first allocation that fits, or growth
 *   free  --------------------------------------------------&gt;  owned
 *  all bytes zero                                               in the hands of one arena
 *     ^  ^                                                        |   |
 *     |  '---- release: arena closed, then what was used zeroed --'   |
 *     |                                                               |
 *     '-- collect: by its thread -- returned &lt;-- release from elsewhere: the same, by a
 *                                   all bytes zero    virtual thread on another carrier
 * </pre>
 *
 * <p>A slab in a shared slot is free or owned; the claim of the slot is its state. A slab whose
 * arena is never closed stays owned for ever, also after the end of its thread: it is lost to the
 * pool, and safe, because its segments may still be alive.
 *
 * <p>The states of a guarded block:
 *
 * <pre>
 *                        close: guards verified, poisoned        FIFO: poison verified
 *   of an open arena  ----------------------------------&gt;  kept  ---------------------&gt;  freed
 * </pre>
 *
 * <p>Names of accessors say the memory order where it matters: {@code getOpaque}, {@code
 * setRelease}; {@code compareAndSet} has volatile semantics. What names none is plain.
 */
@NullMarked
package dev.rockpool.arena;

import org.jspecify.annotations.NullMarked;
