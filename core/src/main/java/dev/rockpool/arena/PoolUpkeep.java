package dev.rockpool.arena;

import dev.rockpool.internal.Housekeeper;
import java.lang.ref.WeakReference;

/**
 * Frees unused memory of a pool: slabs of ended threads, idle shared slabs, and all memory once the
 * pool is unreachable.
 *
 * <p>Every open arena refers to its table. So once the table is unreachable, no arena can release a
 * slab. Slabs still owned then belong to arenas that were never closed, and are not freed.
 */
final class PoolUpkeep implements Housekeeper.Upkeep {
  private final WeakReference<SlabTable> table;
  private final SlabRegistry registry;
  private final SharedSlabs shared;
  private final SharedSlabs larger;

  PoolUpkeep(SlabTable table) {
    this.table = new WeakReference<>(table);
    this.registry = table.registry();
    this.shared = table.shared();
    this.larger = table.larger();
  }

  @Override
  public boolean getAsBoolean() {
    if (table.refersTo(null)) {
      freeAll();
      return false;
    }
    registry.sweep();
    shared.trim();
    larger.trim();
    return true;
  }

  @Override
  public void freeAll() {
    registry.freeAll();
    shared.freeAll();
    larger.freeAll();
  }
}
