package dev.rockpool.bench;

import org.openjdk.jmh.annotations.Param;

/**
 * One small allocation of {@code size} bytes in one arena, from opening to closing it.
 *
 * <pre>
 * ./rockpool bench ConfinedAllocation -p size=100,451,1024,4096 -prof gc
 * </pre>
 *
 * <p>Nothing is written to the memory: the cost of handing it out zeroed is in the arena.
 */
public class ConfinedAllocation extends Contestants.OfOneAllocation {
  @Param({"5", "20", "64"})
  public int size;

  @Override
  int size() {
    return size;
  }
}
