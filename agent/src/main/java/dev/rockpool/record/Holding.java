package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.record.HolderEvents.HolderStackEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One arena, buffer, mapped file or piece of memory that is known by itself, from its opening to
 * its end. Its site keeps it reachable while it is open.
 */
class Holding extends Watched {
  /**
   * An object that is reachable as long as somebody can close an arena: referred to by the wrapper
   * of a confined one, or by its list of cleanup actions. Confined arenas are not watched by their
   * scope, because then each of them would have a scope in the heap.
   */
  static final class Closer implements Consumer<MemorySegment> {
    final Holding holding;

    Closer(RecordedSite site, boolean isFair) {
      holding = new Holding(this, site, true, isFair);
    }

    @Override
    public void accept(MemorySegment unmapped) {
      holding.closed(0);
    }
  }

  /** Open direct and mapped buffers by address, to find the one that is freed. */
  private static final Map<Long, Holding> BUFFERS = new ConcurrentHashMap<>();

  final RecordedSite site;
  final long opener = Thread.currentThread().threadId();
  final @Nullable HolderStackEvent stack;

  final boolean needsClose;

  /** Whether its lifetime is typical of the site. */
  final boolean isFair;

  /** When the stack had been taken, which may take longer than a short life. */
  long openedNanos;

  /** Guarded by the site. */
  boolean isUsedByOthers;

  /** Written by the thread of a confined arena, and read without synchronization. */
  long bytes;

  /** The key in {@code BUFFERS}; 0 if it is not there. */
  private long address;

  /**
   * Makes a holding that is not open.
   *
   * @param watched unreachable once nobody can close or use the memory; null if that is not known
   */
  Holding(@Nullable Object watched, RecordedSite site, boolean needsClose, boolean isFair) {
    this(watched, site, needsClose, isFair, site.takeStack());
  }

  /** As above, with the counts of a stack; null for none. */
  Holding(
      @Nullable Object watched,
      RecordedSite site,
      boolean needsClose,
      boolean isFair,
      @Nullable HolderStackEvent stack) {
    super(watched);
    this.site = site;
    this.needsClose = needsClose;
    this.isFair = isFair;
    this.stack = stack;
  }

  /** Addresses are multiples of 16: by themselves they would fill every 16th bucket of a map. */
  static long key(long address) {
    return Long.rotateRight(address, 4);
  }

  Holding opened() {
    openedNanos = System.nanoTime();
    site.opened(this, Thread.currentThread().isVirtual());
    return this;
  }

  /**
   * Notes the bytes of a confined arena. A plain store and no call, because a call on a rare path
   * makes C2 spill on the frequent path, too.
   */
  @ForceInline
  void update(long bytesInAll) {
    bytes = bytesInAll;
  }

  void allocated(long byteSize) {
    site.allocated(this, byteSize, Thread.currentThread().threadId());
  }

  void closed(long closeNanos) {
    end(false, Thread.currentThread().threadId(), closeNanos);
    clear();
  }

  @Override
  void unreachable() {
    end(needsClose, opener, 0);
  }

  private void end(boolean leaks, long threadId, long closeNanos) {
    site.ended(this, leaks, threadId, closeNanos);
    if (address != 0) {
      BUFFERS.remove(key(address), this);
    }
  }

  /**
   * Counts a buffer.
   *
   * @param buffer null if the program's own FileChannel returned null
   */
  static void ofBuffer(@Nullable Buffer buffer, int site) {
    Watched.takeUnreachable(); // so that freed buffers do not seem live beside new ones
    if (buffer == null) {
      return;
    }
    Holding holding = new Holding(buffer, RecordedSite.get(site), false, true);
    if (buffer.capacity() > 0) {
      holding.address = MemorySegment.ofBuffer(buffer).address();
      Holding before = BUFFERS.put(key(holding.address), holding);
      if (before != null) {
        before.closed(0); // else its memory would not be in use again
      }
    }
    holding.opened().allocated(buffer.capacity());
  }

  static void refused(int site) {
    RecordedSite.get(site).refused();
  }

  /**
   * Ends the holding of a buffer at that address, which is about to be freed: by the program, in
   * whatever way, or because the buffer is unreachable.
   */
  public static void freed(long address) {
    try {
      Holding holding = BUFFERS.get(key(address));
      if (holding != null && holding.refersTo(null)) {
        holding.unreachable();
      } else if (holding != null) {
        holding.closed(0);
      }
    } catch (OutOfMemoryError | StackOverflowError noKey) {
      return; // the JVM would end; the holding ends when it is taken off the queue
    }
  }

  /** Ends the holding of a buffer of Rockpool's, which the program frees. */
  public static void freed(ByteBuffer buffer) {
    long address = MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    Holding holding = BUFFERS.get(key(address));
    if (holding != null && holding.refersTo(buffer)) {
      holding.closed(0);
    }
  }

  /**
   * Counts a file that was mapped in an arena of any kind. A cleanup action of the arena tells the
   * end.
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
        new Holding(arena.scope(), RecordedSite.get(site), false, true)
            .opened()
            .allocated(segment.byteSize());
        return;
      }
    } catch (RuntimeException refused) { // by the program's own arena
      return;
    }
    Closer closer = new Closer(RecordedSite.get(site), true);
    closer.holding.opened().allocated(segment.byteSize());
    try {
      segment.reinterpret(arena, closer);
    } catch (RuntimeException closedMeanwhile) {
      closer.holding.closed(0);
    }
  }
}
