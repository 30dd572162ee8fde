package dev.rockpool.arena;

import dev.rockpool.internal.Housekeeper;
import java.lang.ref.WeakReference;

/**
 * Gives memory of a pool back that nobody uses: that of ended threads, shared slabs that lay idle,
 * and everything once nothing can reach the pool.
 *
 * <p>Every open arena refers to its table, so once the table is unreachable no arena can come back
 * to it; slabs that are still owned then belong to arenas that were never closed, and stay.
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
