package dev.rockpool.record;

import dev.rockpool.record.Holding.Closer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A shared, automatic or global arena that is recorded. Each method calls the same method of the
 * JDK's arena; failed allocations are not counted.
 */
final class HoldingArena implements Arena {
  private final Arena arena;
  private final Holding holding;

  /** Reachable as long as this arena; null if nobody needs to close it. */
  private final @Nullable Closer closer;

  private HoldingArena(Arena arena, Holding holding, @Nullable Closer closer) {
    this.arena = arena;
    this.holding = holding;
    this.closer = closer;
  }

  /** Wraps an arena for that site; returns {@code arena} itself if heap or stack is exhausted. */
  static Arena of(Arena arena, int site) {
    try {
      Site at = Sites.SHARED.get(site);
      if (at.kind == SiteKind.SHARED) {
        return closedBy(Holding.ofClosed(site), arena);
      }
      HoldingArena known = at.global();
      if (known != null) {
        return known;
      }
      HoldingArena made = new HoldingArena(arena, Holding.ofCollected(arena.scope(), site), null);
      return at.kind == SiteKind.GLOBAL ? at.setGlobal(made) : made;
    } catch (LinkageError | VirtualMachineError notCounted) {
      return arena;
    }
  }

  private static HoldingArena closedBy(Closer closer, Arena arena) {
    try {
      return new HoldingArena(arena, closer.holding, closer);
    } catch (VirtualMachineError notCounted) {
      closer.holding.closed(0); // no leak, though nobody has the closer
      throw notCounted;
    }
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    try {
      holding.allocated(segment.byteSize());
    } catch (VirtualMachineError notCounted) {
      return segment;
    }
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    long start = System.nanoTime();
    try {
      arena.close();
    } catch (Throwable failure) {
      if (closer != null && !arena.scope().isAlive()) {
        closed(start); // a cleanup action threw; does nothing if the arena was closed before
      }
      throw failure;
    }
    closed(start);
  }

  private void closed(long start) {
    try {
      holding.closed(System.nanoTime() - start);
    } catch (VirtualMachineError notCounted) {
      return;
    }
  }
}
