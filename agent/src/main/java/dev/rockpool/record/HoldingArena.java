package dev.rockpool.record;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A shared, automatic or global arena that is recorded. The JDK's arena, or the one under a limit,
 * serves each request; failed allocations are not counted.
 */
final class HoldingArena implements Arena {
  /** The wrapper of the global arena: one for all sites, because programs compare by identity. */
  private static final AtomicReference<@Nullable HoldingArena> GLOBAL = new AtomicReference<>();

  private final Arena arena;

  /** Null for the global arena, whose allocations count for the line that allocates. */
  private final @Nullable Holding holding;

  private HoldingArena(Arena arena, @Nullable Holding holding) {
    this.arena = arena;
    this.holding = holding;
  }

  /** Wraps an arena for that site. A segment that is in use keeps its scope reachable, too. */
  static Arena of(Arena arena, int number) {
    RecordedSite site = RecordedSite.get(number);
    if (site.kind == Site.Kind.GLOBAL) {
      HoldingArena known = GLOBAL.get();
      GLOBAL.compareAndSet(null, known == null ? new HoldingArena(arena, null) : known);
      return Objects.requireNonNull(GLOBAL.get());
    }
    Watched.takeUnreachable(); // so that freed arenas do not seem live beside new ones
    boolean needsClose = site.kind == Site.Kind.SHARED;
    return new HoldingArena(arena, new Holding(arena.scope(), site, needsClose, true).opened());
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    (holding == null ? holdingOfCaller() : holding).allocated(segment.byteSize());
    return segment;
  }

  /** The inherited method refuses bad requests in other words than the JDK's arenas. */
  @Override
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    MemorySegment segment =
        arena.allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    (holding == null ? holdingOfCaller() : holding).allocated(segment.byteSize());
    return segment;
  }

  /** Looks at the stack, which is paid seldom: this memory is never freed. */
  private Holding holdingOfCaller() {
    return RecordedSite.get(Site.find(Callers.stack(1).text(), Site.Kind.GLOBAL).number)
        .global(arena);
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
    } finally {
      if (holding != null && !arena.scope().isAlive()) { // also if a cleanup action threw
        holding.closed(System.nanoTime() - start);
      }
    }
  }
}
