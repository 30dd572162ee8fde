package dev.rockpool.record;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts arenas. The current thread finds its tallies in a table indexed by thread id, as {@code
 * BlockPool} finds blocks, and sound for the same reason. A record, because C2 trusts the final
 * fields of records.
 *
 * @param byThreadId the cache, its length a power of two
 * @param registry the tallies of all threads
 * @param onVirtual the numbers of open arenas of virtual threads
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record Recorder(
    @Nullable ThreadTallies[] byThreadId, TallyRegistry registry, OpenOnVirtual onVirtual) {
  private static final int SLOTS = 1024;

  /** The recorder of this JVM. */
  static final Recorder SHARED = create();

  static {
    // Initializes the classes that counting needs: a virtual thread must not wait for
    // initialization between finding the carrier and counting.
    ThreadTallies tallies = new ThreadTallies(Thread.currentThread(), SHARED.registry);
    new ThreadSite(tallies).count(0, 0, 0);
    Holdings.initialize();
    Carrier.isReachable();
  }

  static Recorder create() {
    return new Recorder(new ThreadTallies[SLOTS], new TallyRegistry(), OpenOnVirtual.create());
  }

  /**
   * Returns where the current thread counts the arenas of a site: for virtual threads, as does the
   * carrier. Null if memory runs out, or the carrier can't be reached. To be used at once.
   */
  @ForceInline
  @Nullable ThreadSite threadSite(int site, Thread current, boolean isVirtual) {
    ThreadTallies tallies = isVirtual ? talliesOfCarrier() : talliesOf(current);
    return tallies != null ? tallies.at(site) : null;
  }

  /** Returns the tallies of {@code current}, a platform thread; null if memory runs out. */
  @ForceInline
  @Nullable ThreadTallies talliesOf(Thread current) {
    ThreadTallies found = cachedTalliesOf(current.threadId());
    return found != null ? found : talliesOfPlatformThread(current);
  }

  @ForceInline
  private @Nullable ThreadTallies cachedTalliesOf(long id) {
    ThreadTallies found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : null;
  }

  /** Takes locks, so a virtual thread may be on another carrier when this returns. */
  private @Nullable ThreadTallies talliesOfPlatformThread(Thread thread) {
    ThreadTallies tallies = registry.talliesOf(thread);
    if (tallies != null) {
      VarHandle.releaseFence(); // publishes the tallies' fields to other threads
      byThreadId[(int) tallies.threadId & (byThreadId.length - 1)] = tallies;
    }
    return tallies;
  }

  /**
   * Notes that the current thread opens an arena; returns how many it had open before.
   *
   * @param counted the place where the opening is counted; null if there is none
   */
  @ForceInline
  int opened(Thread current, @Nullable ThreadSite counted, boolean isVirtual) {
    return counted != null && !isVirtual
        ? counted.thread.opened()
        : onVirtual.opened(current.threadId());
  }

  /** Notes that the current thread has closed an arena, or failed to open it. */
  @ForceInline
  void notOpen(Thread current, @Nullable ThreadSite counted, boolean isVirtual, int depth) {
    if (counted != null && !isVirtual) {
      counted.thread.closed(depth);
    } else {
      onVirtual.closed(current.threadId());
    }
  }

  /**
   * Takes back the opening of an arena that the current thread does not count itself: on a virtual
   * thread, or without memory for a place. Without heap or stack the arena seems open for ever.
   *
   * @param isOpen whether it is among the open arenas of the thread
   * @param isOpenAtSite whether it is among those of the site
   */
  void tryToTakeBack(int site, Thread current, boolean isOpen, boolean isOpenAtSite) {
    try {
      if (isOpen) {
        onVirtual.closed(current.threadId());
      }
      if (isOpenAtSite) {
        registry.opens(site, -1);
      }
    } catch (VirtualMachineError seemsOpen) {
      return;
    }
  }

  /** Counts an arena that the current thread has closed. */
  @ForceInline
  void closed(
      @Nullable ThreadSite counted, boolean isVirtual, long shape, long allocations, long bytes) {
    ThreadSite now =
        counted != null && (!isVirtual || isOfCarrier(counted)) ? counted : atCarrier(shape);
    if (now == null || !now.count(shape, allocations, bytes)) {
      countElsewhere(shape, allocations, bytes);
    }
  }

  @ForceInline
  private static boolean isOfCarrier(ThreadSite threadSite) {
    return Carrier.currentId() == threadSite.thread.threadId;
  }

  private @Nullable ThreadSite atCarrier(long shape) {
    ThreadTallies carriers = talliesOfCarrier();
    return carriers != null ? carriers.at(Shape.site(shape)) : null;
  }

  private void countElsewhere(long shape, long allocations, long bytes) {
    if (!registry.count(Shape.reduced(shape), allocations, bytes)) {
      registry.opens(Shape.site(shape), -1);
    }
  }

  /** Between finding the carrier and returning, this calls nothing that might unmount. */
  @ForceInline
  private @Nullable ThreadTallies talliesOfCarrier() {
    if (!Carrier.isReachable()) {
      return null;
    }
    ThreadTallies found = cachedTalliesOf(Carrier.currentId());
    if (found != null) {
      return found;
    }
    cacheTalliesOfCarrier();
    return cachedTalliesOf(Carrier.currentId());
  }

  private void cacheTalliesOfCarrier() {
    Thread carrier = Carrier.current();
    if (carrier != null) {
      talliesOfPlatformThread(carrier);
    }
  }

  /** Returns copies of all tallies, by shape; may be a few arenas behind threads at work. */
  Map<Long, Tally> read() {
    return registry.read();
  }

  /** Sums of confined arenas by site. Not for several threads at once. */
  static final class BySite {
    final Consumer<Tally> addClosed = this::addClosed;
    final Consumer<ThreadTallies> addClosedOfThread = thread -> thread.forEach(addClosed);
    final Consumer<ThreadTallies> addOpenedOfThread = thread -> thread.addOpenedTo(this.opened);

    int[] opened = new int[0];
    long[] closed = new long[0];
    long[] allocations = new long[0];
    long[] bytes = new long[0];
    long[] onVirtual = new long[0];
    long[] largest = new long[0];

    /** Reads the figures of a recorder, for all sites that have a number. */
    BySite read(Recorder recorder, int sites) {
      opened = new int[sites];
      closed = new long[sites];
      allocations = new long[sites];
      bytes = new long[sites];
      onVirtual = new long[sites];
      largest = new long[sites];
      recorder.registry.addTo(this);
      return this;
    }

    private void addClosed(Tally tally) {
      int site = Shape.site(tally.shape());
      if (site < opened.length) {
        closed[site] += tally.arenas();
        allocations[site] += tally.allocations();
        bytes[site] += tally.bytes();
        onVirtual[site] += Shape.isVirtual(tally.shape()) ? tally.arenas() : 0;
        largest[site] = Math.max(largest[site], tally.most());
      }
    }

    /** Returns the number of open arenas, which is exact modulo 2^32. */
    long live(int site) {
      return Math.max(0, opened[site] - (int) closed[site]);
    }
  }

  /**
   * Counts the open arenas of virtual threads, without memory for each thread. All threads share a
   * few thousand places; a thread that opens an arena takes over its place from another thread. So
   * if two threads of one place have arenas open at once, one thread's depth comes out too small,
   * but never too large. If few virtual threads have arenas open at once, a depth is nearly always
   * right.
   *
   * <p>Places are read and written plainly. A place holds a thread's id, and counts only for that
   * thread. So a race may lose a count but never credits a count to another thread.
   *
   * <p>A record, because C2 trusts the final fields of records.
   *
   * @param places each the id of one of its threads, and the number of that thread's open arenas
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
  record OpenOnVirtual(long[] places) {
    private static final int PLACES_LOG = 12;
    private static final int COUNT_BITS = 8;
    private static final int MOST = (1 << COUNT_BITS) - 1;

    /** Makes places without open arenas. */
    static OpenOnVirtual create() {
      return new OpenOnVirtual(new long[1 << PLACES_LOG]);
    }

    /** Notes that a virtual thread opens an arena; returns how many it had open before. */
    @ForceInline
    int opened(long threadId) {
      int place = place(threadId);
      long none = threadId << COUNT_BITS;
      // A branch, so that the new value does not depend on the store of the last close.
      if (places[place] == none) {
        places[place] = none + 1;
        return 0;
      }
      return openedBesideOthers(place, threadId);
    }

    private int openedBesideOthers(int place, long threadId) {
      int before = known(places[place], threadId);
      places[place] = (threadId << COUNT_BITS) | Math.min(before + 1, MOST);
      return before;
    }

    @ForceInline
    void closed(long threadId) {
      int place = place(threadId);
      long none = threadId << COUNT_BITS;
      if (places[place] == none + 1) {
        places[place] = none;
      } else {
        closedBesideOthers(place, threadId);
      }
    }

    private void closedBesideOthers(int place, long threadId) {
      int before = known(places[place], threadId);
      if (before > 0) {
        places[place] = (threadId << COUNT_BITS) | (before - 1);
      }
    }

    /** Returns the number of threads with open arenas, ended threads included, or less. */
    int threads() {
      int threads = 0;
      for (long place : places) {
        threads += (place & MOST) == 0 ? 0 : 1;
      }
      return threads;
    }

    private static int known(long place, long threadId) {
      return place >>> COUNT_BITS == threadId ? (int) place & MOST : 0;
    }

    /** Spreads consecutive ids, so that their places are not on one cache line. */
    @ForceInline
    private static int place(long threadId) {
      return (int) ((threadId * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - PLACES_LOG));
    }
  }
}
