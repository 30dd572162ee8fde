package dev.rockpool.record;

import dev.rockpool.arena.Arenas;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.record.Holding.Closer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena, pooled or the JDK's, that counts itself and the bytes allocated in it. Used
 * under the agent only, with option {@code record}.
 *
 * <p>The wrapped arena serves each request, and the size is taken from the returned segment. So
 * results and exceptions are the wrapped arena's. Failed allocations are not counted. Methods that
 * are not overridden here lead to those that are.
 *
 * <p>Like a pooled arena, in compiled code this arena is never created if it does not escape. Only
 * {@code owner} writes fields: for another thread the wrapped arena throws first.
 *
 * <p>Most of the time goes into spills around calls on rare paths: each call needs all that is used
 * after it, or that the interpreter would need there. So as little as possible is used after one.
 */
final class RecordedArena implements Arena {
  private final Arena arena;
  private final Thread owner;
  private final boolean isVirtual;
  private final int site;

  /** Where the thread counts; on a virtual thread only as long as its carrier stays the same. */
  private SiteCounts counts;

  private long allocations;
  private long bytes;
  private boolean isClosed;

  /** Set for the few arenas that are followed. */
  private @Nullable Closer closer;

  @ForceInline
  private RecordedArena(
      Arena arena,
      Thread owner,
      boolean isVirtual,
      int site,
      SiteCounts counts,
      @Nullable Closer closer) {
    this.arena = arena;
    this.owner = owner;
    this.isVirtual = isVirtual;
    this.site = site;
    this.counts = counts;
    this.closer = closer;
  }

  /** Opens an arena on the shared pool, for the site with that number. */
  @ForceInline
  static Arena ofPool(int site) {
    return open(site, true);
  }

  @ForceInline
  static Arena ofJdk(int site) {
    return open(site, false);
  }

  static Arena of(Arena arena, int site) {
    Thread owner = Thread.currentThread();
    SiteCounts counts = Recorder.find(Recorder.index(site, owner.isVirtual()));
    long before = counts.opened++;
    Closer closer = Holdings.isChosen(before) ? Holdings.follow(site, before != 0) : null;
    return new RecordedArena(arena, owner, owner.isVirtual(), site, counts, closer);
  }

  /** Counts before the arena is opened, because of the call on the rare path. */
  @ForceInline
  @SuppressWarnings("MustBeClosed") // the arena around it does that
  private static Arena open(int site, boolean ofPool) {
    Thread owner = Thread.currentThread();
    boolean isVirtual = owner.isVirtual();
    SiteCounts counts = Recorder.find(Recorder.index(site, isVirtual));
    long before = counts.opened++;
    Closer closer = Holdings.isChosen(before) ? Holdings.follow(site, before != 0) : null;
    Arena arena;
    try {
      arena = ofPool ? Arenas.ofConfined() : Arena.ofConfined();
    } catch (Throwable failure) {
      takeBack(Recorder.index(site, isVirtual), closer);
      throw failure;
    }
    return new RecordedArena(arena, owner, isVirtual, site, counts, closer);
  }

  private static void takeBack(int index, @Nullable Closer closer) {
    Recorder.find(index).opened--;
    if (closer != null) {
      closer.holding.closed(0);
    }
  }

  /** Returns where the current thread counts, to be used at once. */
  @ForceInline
  private SiteCounts here() {
    if (isVirtual && Carrier.currentId() != counts.threadId) {
      counts = Recorder.find(Recorder.index(site, true));
    }
    return counts;
  }

  @ForceInline
  private MemorySegment counted(MemorySegment segment) {
    long byteSize = segment.byteSize();
    here().bytes += byteSize;
    bytes += byteSize;
    allocations++;
    if (bytes >= Holdings.LARGE && closer == null) {
      closer = Holdings.follow(site, false);
    }
    if (closer != null) {
      closer.holding.update(bytes);
    }
    return segment;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The owner counts the arena once, after the wrapped arena was closed. If a cleanup action
   * closes this arena again, the wrapped arena refuses.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  public void close() {
    if (isClosed || Thread.currentThread() != owner) {
      arena.close();
      return;
    }
    try {
      arena.close();
    } catch (Throwable failure) {
      if (!arena.scope().isAlive()) { // a cleanup action threw
        count();
      }
      throw failure;
    }
    count();
  }

  @ForceInline
  private void count() {
    if (isClosed) {
      return; // by a cleanup action
    }
    isClosed = true;
    here().addClosed(bytes, allocations);
    if (closer != null) {
      closer.holding.closed(0);
    }
  }

  @Override
  @ForceInline
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return counted(arena.allocate(byteSize, byteAlignment));
  }

  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize) {
    return counted(arena.allocate(byteSize));
  }

  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout layout) {
    return counted(arena.allocate(layout));
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str) {
    return counted(arena.allocateFrom(str));
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    return counted(
        arena.allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount));
  }
}
