package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An automatic arena: one scope for all of its segments, a block for each, all of them freed after
 * nothing can reach that scope. Not one of the JDK's, which would count against the JVM's own limit
 * as well, and be freed by the JVM's own thread.
 */
final class ReclaimedArena implements Arena {
  private final DirectMemory memory;

  /** Never closed. */
  private final Arena lifetime = Arena.ofShared();

  ReclaimedArena(DirectMemory memory) {
    this.memory = memory;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return memory.allocate(byteSize, byteAlignment, lifetime, false);
  }

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException(
        "An automatic arena is not closed: its memory is freed when nothing reaches it any more");
  }
}
