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
      return switch (Sites.SHARED.get(site).kind) {
        case SiteKind.SHARED -> closedBy(Holding.ofClosed(site), arena);
        case SiteKind.GLOBAL -> Global.ARENA;
        default -> new HoldingArena(arena, Holding.ofCollected(arena.scope(), site), null);
      };
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

  /**
   * The global arena, one object for all sites, because programs compare it by identity. An
   * allocation counts for the line that allocates; its memory is never freed, so the look at the
   * stack is paid seldom.
   */
  private static final class Global implements Arena {
    static final Global ARENA = new Global();

    private final Arena arena = Arena.global();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      MemorySegment segment = arena.allocate(byteSize, byteAlignment);
      try {
        Site site = Sites.SHARED.get(Sites.of(Holdings.caller(), SiteKind.GLOBAL));
        site.global(arena).allocated(segment.byteSize());
      } catch (LinkageError | VirtualMachineError notCounted) {
        return segment;
      }
      return segment;
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    /** Throws the JDK's own exception. */
    @Override
    public void close() {
      arena.close();
    }
  }
}
