/**
 * Recycled native memory: confined arenas whose small allocations come from a pool that the thread
 * owns, and go back to it zeroed.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas}.
 */
module dev.rockpool {
  requires static org.jspecify;

  exports dev.rockpool.arena;
}
