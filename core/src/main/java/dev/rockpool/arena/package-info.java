/**
 * Confined arenas that take their memory from a pool instead of from malloc.
 *
 * <p>{@link dev.rockpool.arena.Arenas#ofConfined()} is the way in, a drop-in for {@link
 * java.lang.foreign.Arena#ofConfined()}; {@link dev.rockpool.arena.ArenaPool} is for programs that
 * want a pool of their own sizes. The rest of the package is how it works:
 *
 * <ul>
 *   <li>{@code PooledArena} is what users hold: a regular confined arena of the JDK, which keeps
 *       being the only judge of lifetime and confinement, plus at most one slab.
 *   <li>{@code ThreadSlabs} is what one thread owns: a row of slabs, and one bit for each that says
 *       whether it is free or owned by an arena.
 *   <li>{@code SlabTable} finds the slabs of the current thread in a few instructions, makes them
 *       at the thread's first allocation, and passes those of ended threads on to new ones.
 *   <li>{@code SlabFirstArena} sends each kind of {@code allocateFrom} to whichever of the two,
 *       slab or regular arena, will serve it; {@code InlinedArena} does so for strings, under the
 *       agent.
 * </ul>
 *
 * <p>The states of a slab, each drawn once here and checked by {@code ThreadSlabs.checkInvariants}:
 *
 * <pre>
 *            acquire: first allocation that fits
 *   free  ------------------------------------------&gt;  owned
 *  bit 0, all bytes zero                               bit 1, in the hands of one arena
 *         &lt;------------------------------------------
 *            release: arena closed, then what was used zeroed
 * </pre>
 *
 * A slab whose arena is never closed, or whose thread ended first, stays owned for ever: it is lost
 * to the pool, and safe, because its segments may still be alive.
 */
@NullMarked
package dev.rockpool.arena;

import org.jspecify.annotations.NullMarked;
