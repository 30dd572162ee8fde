package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.nio.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One arena, direct buffer or mapped file that is known by itself, from its opening to its end. The
 * site's list keeps it reachable while it is open.
 */
final class Holding extends PhantomReference<Object> {
  /** An object that is reachable as long as somebody can close an arena. */
  static final class Closer {
    final Holding holding;

    Closer(Site site) {
      holding = new Holding(this, site, true);
    }
  }

  final Site site;
  final long opener = Thread.currentThread().threadId();
  final Site.@Nullable Stack stack;

  /** Whether the memory stays allocated if nobody closes. */
  private final boolean needsClose;

  /**
   * When the stack had been taken, which may take longer than a short life. Written before the site
   * knows the holding.
   */
  long openedNanos;

  /** Guarded by the site, as are {@code byOthers}, {@code before} and {@code next}. */
  boolean isOpen;

  boolean byOthers;

  /**
   * Set, with no call, where {@link #closed} may have failed for lack of stack or heap. Such a
   * holding ends once it is unreachable, and is no leak.
   */
  boolean wasClosed;

  /** Written by the thread of a confined arena, and read without synchronization. */
  long bytes;

  private long allocations;
  @Nullable Holding before;
  @Nullable Holding next;

  /**
   * Makes a holding that is not open.
   *
   * @param watched unreachable once nobody can close, or once the JDK frees
   */
  private Holding(Object watched, Site site, boolean needsClose) {
    super(watched, Holdings.UNREACHABLE);
    this.site = site;
    this.needsClose = needsClose;
    this.stack = Holdings.stackFor(site);
  }

  /** Makes and opens a holding of memory that the JDK frees once {@code watched} is unreachable. */
  static Holding ofCollected(Object watched, int site) {
    return ofCollected(watched, Sites.SHARED.get(site));
  }

  static Holding ofCollected(Object watched, Site site) {
    return new Holding(watched, site, false).opened();
  }

  /** Makes and opens a holding of memory that somebody must free by closing. */
  static Closer ofClosed(int site) {
    Closer closer = new Closer(Sites.SHARED.get(site));
    closer.holding.opened();
    return closer;
  }

  Holding opened() {
    openedNanos = System.nanoTime();
    site.opened(this, Thread.currentThread().isVirtual());
    return this;
  }

  /**
   * Notes the sums of a confined arena. Two plain stores and no call, because a call on a rare path
   * makes C2 move values from registers to the stack on the frequent path, too.
   */
  @ForceInline
  void holds(long bytesInAll, long allocationsInAll) {
    bytes = bytesInAll;
    allocations = allocationsInAll;
  }

  long allocations() {
    return allocations;
  }

  void allocated(long byteSize) {
    site.allocated(this, byteSize, Thread.currentThread().threadId());
  }

  void closed(long closeNanos) {
    site.ended(this, false, Thread.currentThread().threadId(), System.nanoTime(), closeNanos);
    clear(); // last: if the stack ends before, unreachable ends this
  }

  void unreachable() {
    site.ended(this, needsClose && !wasClosed, opener, System.nanoTime(), 0);
  }

  /**
   * Counts a buffer, or not if heap or stack is exhausted.
   *
   * @param buffer null if the program's own FileChannel returned null
   */
  static void ofBuffer(@Nullable Buffer buffer, int site) {
    if (buffer == null) {
      return;
    }
    try {
      ofCollected(buffer, site).allocated(buffer.capacity());
    } catch (LinkageError | VirtualMachineError notCounted) {
      return;
    }
  }

  /**
   * Counts a file that was mapped in an arena of any kind, or not if heap or stack is exhausted. A
   * cleanup action of the arena tells the end; an arena that can't be reached takes the action and
   * the closer with it.
   *
   * @param segment null if the program's own FileChannel returned null
   * @param arena null if that channel accepted null
   */
  @SuppressWarnings("restricted") // the segment is not used
  static void ofMapped(@Nullable MemorySegment segment, @Nullable Arena arena, int site) {
    if (segment == null || arena == null) {
      return;
    }
    try {
      if (arena.scope().equals(Arena.global().scope())) {
        ofCollected(arena.scope(), site).allocated(segment.byteSize()); // for ever, and no leak
        return;
      }
      Closer closer = ofClosed(site);
      closer.holding.allocated(segment.byteSize());
      try {
        segment.reinterpret(arena, new Unmapped(closer));
      } catch (Throwable closedMeanwhile) {
        closer.holding.closed(0);
      }
    } catch (Throwable notCounted) { // the program's own Arena may throw anything
      return;
    }
  }

  private record Unmapped(Closer closer) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment ignored) {
      try {
        closer.holding.closed(0);
      } catch (VirtualMachineError notCounted) {
        closer.holding.wasClosed = true;
      }
    }
  }
}
