package dev.rockpool.record;

import dev.rockpool.arena.Arenas;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Pooled;
import dev.rockpool.record.Holding.Closer;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena, pooled or the JDK's, that is counted when it is opened, and with its sizes when
 * it is closed. Used under the agent only, with option {@code record}.
 *
 * <p>Each method calls the same method of the wrapped arena, which may have a short cut, and takes
 * the size from the returned segment. So results and exceptions are the wrapped arena's. Failed
 * allocations are not counted.
 *
 * <p>Like a pooled arena, in compiled code this arena is never created if it does not escape. Only
 * {@code owner} writes fields: for another thread the wrapped arena throws first.
 *
 * <p>Most of the time goes into values that C2 moves from registers to the stack and back, because
 * of calls on rare paths: each call needs all that is used after it, or that the interpreter would
 * need there. So before the arena is opened, and after it was closed, nothing is used but a few
 * values; and sums are computed late, since one allocation needs none.
 */
final class RecordedArena implements Arena {
  /** Opened last: if stack or heap ended after that, nobody could close it. */
  @SuppressWarnings("NullAway.Init")
  private Arena arena;

  private final int site;
  private final Thread owner = Thread.currentThread();
  private final boolean isVirtual = owner.isVirtual();

  /** Where the opening is counted; null if in the registry, or not yet. */
  private @Nullable ThreadSite threadSite;

  /** Whether the opening is counted for the site. */
  private boolean isOpenAtSite;

  /** Number of arenas that the thread had open before; -1 until this one is counted, too. */
  private int depth = -1;

  private long allocations;
  private long total;

  /** Bytes that all allocations but the last would take of blocks. */
  private long footprint;

  /** Largest size of all allocations but the last. */
  private long largest;

  private long lastByteSize;
  private long lastAlignment;

  /** All alignments, as one set of bits: the highest bit is the highest alignment. */
  private long alignments = 1;

  private boolean closed;

  /** Set for the few arenas that {@link Holdings} knows by themselves. */
  private @Nullable Closer closer;

  @ForceInline
  private RecordedArena(int site) {
    this.site = site;
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

  @ForceInline
  private static Arena open(int site, boolean ofPool) {
    Recorder recorder = recorder();
    if (recorder == null) {
      return ofPool ? Arenas.ofConfined() : Arena.ofConfined();
    }
    RecordedArena recorded = new RecordedArena(site);
    try {
      recorded.countOpening(recorder);
      recorded.arena = ofPool ? Arenas.ofConfined() : Arena.ofConfined();
    } catch (Throwable failure) {
      ThreadSite counted = recorded.isVirtual ? null : recorded.threadSite;
      boolean isOpen = recorded.depth >= 0;
      if (counted != null) { // no call: the stack may be at its end
        counted.opened--;
        counted.thread.open -= isOpen ? 1 : 0;
      } else {
        recorder.tryToTakeBack(site, recorded.owner, isOpen, recorded.isOpenAtSite);
      }
      if (recorded.closer != null) {
        recorded.closer.holding.wasClosed = true;
      }
      throw failure;
    }
    return recorded;
  }

  /** Returns the recorder; null if its initialization failed, see {@link Arenas}. */
  @ForceInline
  private static @Nullable Recorder recorder() {
    try {
      return Recorder.SHARED;
    } catch (LinkageError | VirtualMachineError unusable) {
      return null;
    }
  }

  /**
   * Counts the opening, before the arena is opened: behind the call on the rare path, C2 loads anew
   * all that was loaded before, so there must not be much. Notes each count with no call in
   * between.
   */
  @ForceInline
  private void countOpening(Recorder recorder) {
    ThreadSite found = recorder.threadSite(site, owner, isVirtual);
    int before = found != null ? found.opened++ : recorder.registry().opens(site, 1);
    threadSite = found;
    isOpenAtSite = true;
    if (Holdings.isChosen(before)) {
      closer = Holdings.choose(site);
    }
    depth = recorder.opened(owner, found, isVirtual);
  }

  @ForceInline
  private MemorySegment counted(MemorySegment segment, long byteAlignment) {
    if (allocations != 0) {
      addLast();
    }
    lastByteSize = segment.byteSize();
    lastAlignment = byteAlignment;
    allocations++;
    total += lastByteSize;
    alignments |= byteAlignment;
    if (total >= Holdings.LARGE && closer == null) {
      closer = Holdings.choose(site);
    }
    if (closer != null) {
      closer.holding.holds(total, allocations);
    }
    return segment;
  }

  @ForceInline
  private void addLast() {
    long granule = NativeMemory.ALIGNMENT;
    long alignment = Math.max(lastAlignment, granule);
    largest = Math.max(largest, lastByteSize);
    footprint =
        ((footprint + alignment - 1) & -alignment)
            + ((Math.max(lastByteSize, 1) + granule - 1) & -granule);
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
    if (closed || Thread.currentThread() != owner) {
      arena.close();
      return;
    }
    try {
      arena.close();
    } catch (Throwable failure) {
      countIfClosed();
      throw failure;
    }
    count();
  }

  /** Counts the arena if a cleanup action threw, not if the JDK refused to close. */
  private void countIfClosed() {
    if (!arena.scope().isAlive()) {
      count();
    }
  }

  /** Counts the arena, or not if heap or stack is exhausted: the program must not fail for it. */
  @ForceInline
  private void count() {
    if (closed) {
      return; // by a cleanup action
    }
    closed = true;
    // All that is needed below, for the reason in the class's comment.
    Recorder recorder = Recorder.SHARED;
    int number = site;
    Thread thread = owner;
    boolean onVirtual = isVirtual;
    ThreadSite counted = threadSite;
    Closer holder = closer;
    int before = depth;
    long requests = allocations;
    long bytes = total;
    boolean isOpen = true;
    boolean isOpenThere = true;
    try {
      long shape = shape();
      recorder.notOpen(thread, counted, onVirtual, before);
      isOpen = false;
      recorder.closed(counted, onVirtual, shape, requests, bytes);
      isOpenThere = false;
      if (holder != null) {
        holder.holding.closed(0);
      }
    } catch (VirtualMachineError notCounted) {
      if (counted != null && !onVirtual) { // no call, as in open
        counted.opened -= isOpenThere ? 1 : 0;
        counted.thread.open -= isOpen && before >= 0 ? 1 : 0;
      } else {
        recorder.tryToTakeBack(number, thread, isOpen, isOpenThere);
      }
      if (holder != null) {
        holder.holding.wasClosed = true;
      }
    }
  }

  @ForceInline
  private long shape() {
    if (allocations == 1 && Shape.isExact(total)) {
      return Shape.ofOne(site, isVirtual, served(), depth, total, alignments);
    }
    if (allocations != 0) {
      addLast();
    }
    return Shape.of(site, isVirtual, served(), depth, total, footprint, largest, alignments);
  }

  @ForceInline
  private int served() {
    if (!(arena instanceof Pooled pooled)) {
      return Shape.JDK;
    }
    return pooled.isServedByPool() ? Shape.POOL : Shape.REGULAR;
  }

  @Override
  @ForceInline
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return counted(arena.allocate(byteSize, byteAlignment), byteAlignment);
  }

  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize) {
    return counted(arena.allocate(byteSize), 1);
  }

  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout layout) {
    return counted(arena.allocate(layout), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout elementLayout, long count) {
    return counted(arena.allocate(elementLayout, count), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str) {
    return counted(arena.allocateFrom(str), 1);
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str, Charset charset) {
    return counted(arena.allocateFrom(str, charset), 1);
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
        arena.allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount),
        elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte layout, byte value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar layout, char value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort layout, short value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt layout, int value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat layout, float value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble layout, double value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(AddressLayout layout, MemorySegment value) {
    return counted(arena.allocateFrom(layout, value), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte elementLayout, byte... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar elementLayout, char... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort elementLayout, short... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt elementLayout, int... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat elementLayout, float... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong elementLayout, long... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble elementLayout, double... elements) {
    return counted(arena.allocateFrom(elementLayout, elements), elementLayout.byteAlignment());
  }
}
