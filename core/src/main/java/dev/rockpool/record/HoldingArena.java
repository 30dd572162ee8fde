package dev.rockpool.record;

import dev.rockpool.record.Holding.Closer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A shared, automatic or global arena that is recorded. The JDK's arena serves each request; failed
 * allocations are not counted.
 */
final class HoldingArena implements Arena {
  /** The wrapper of the global arena: one for all sites, because programs compare by identity. */
  private static final class Global {
    static final HoldingArena ARENA = new HoldingArena(Arena.global(), null, null);
  }

  private final Arena arena;

  /** Null for the global arena, whose allocations count for the line that allocates. */
  private final @Nullable Holding holding;

  /** Reachable as long as this arena; null if nobody needs to close it. */
  private final @Nullable Closer closer;

  private HoldingArena(Arena arena, @Nullable Holding holding, @Nullable Closer closer) {
    this.arena = arena;
    this.holding = holding;
    this.closer = closer;
  }

  /** Wraps an arena for that site; returns {@code arena} itself if heap or stack is exhausted. */
  static Arena of(Arena arena, int site) {
    try {
      return switch (Sites.SHARED.get(site).kind) {
        case SiteKind.SHARED -> closedBy(Holding.ofClosed(site), arena);
        case SiteKind.GLOBAL -> global();
        default -> new HoldingArena(arena, Holding.ofCollected(arena.scope(), site), null);
      };
    } catch (LinkageError | VirtualMachineError notCounted) {
      return arena;
    }
  }

  static HoldingArena global() {
    return Global.ARENA;
  }

  private static HoldingArena closedBy(Closer closer, Arena arena) {
    try {
      return new HoldingArena(arena, closer.holding, closer);
    } catch (VirtualMachineError notCounted) {
      closer.holding.wasClosed = true; // no leak, though nobody has the closer
      throw notCounted;
    }
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    try {
      (holding == null ? holdingOfCaller() : holding).allocated(segment.byteSize());
    } catch (LinkageError | VirtualMachineError notCounted) {
      return segment;
    }
    return segment;
  }

  /** Looks at the stack, which is paid seldom: this memory is never freed. */
  private Holding holdingOfCaller() {
    return Sites.SHARED.get(Sites.of(Holdings.caller(), SiteKind.GLOBAL)).global(arena);
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
    Holding ended = holding;
    if (ended == null) {
      return;
    }
    try {
      ended.closed(System.nanoTime() - start);
    } catch (VirtualMachineError notCounted) {
      ended.wasClosed = true;
    }
  }
}
