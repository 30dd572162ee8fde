package dev.rockpool.record;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the counts of the current thread for a site in a table, as {@code BlockPool} finds blocks,
 * and sound for the same reason: a reader uses only counts whose final fields name the platform
 * thread that runs the reader. Adds up the counts of all threads.
 *
 * <p>Counts of ended threads are folded into one sum for each site once a second, and before each
 * reading.
 */
final class Recorder {
  /** Length of the cache, a power of two: for some hundred sites on some ten threads at work. */
  private static final int SLOTS = 1 << 13;

  /** Spreads the ids of threads, which are consecutive as the numbers of sites are. */
  private static final int SPREAD = 0x9E5;

  private static final @Nullable SiteCounts[] CACHE = new SiteCounts[SLOTS];

  /** Bits for the index in a key of {@code COUNTS}; the others have the thread's id. */
  private static final int INDEX_BITS = 14;

  private static final Map<Long, SiteCounts> COUNTS = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private static final Sums ENDED = new Sums(new ArrayList<>());

  private Recorder() {}

  /** Returns the index of the counts of a site and a kind of thread. */
  @ForceInline
  static int index(int site, boolean isVirtual) {
    return 2 * site + (isVirtual ? 1 : 0);
  }

  private static boolean isOfVirtualThreads(int index) {
    return (index & 1) != 0;
  }

  /**
   * Returns the counts at an index of the platform thread that runs the caller. On a virtual
   * thread, they are to be used at once, see {@link Carrier}.
   */
  @ForceInline
  static SiteCounts find(int index) {
    long id = Carrier.platformThreadId();
    SiteCounts found = CACHE[slot(id, index)];
    return found != null && found.threadId == id && found.index == index ? found : findOrAdd(index);
  }

  @ForceInline
  private static int slot(long threadId, int index) {
    return ((int) threadId * SPREAD + index) & (SLOTS - 1);
  }

  private static long key(long threadId, int index) {
    return threadId << INDEX_BITS | index;
  }

  private static SiteCounts findOrAdd(int index) {
    while (true) {
      SiteCounts known = COUNTS.get(key(Carrier.platformThreadId(), index));
      if (known != null) { // no lock from here on
        CACHE[slot(known.threadId, index)] = known;
        return known;
      }
      Thread current = Thread.currentThread();
      Thread carrier = current.isVirtual() ? Carrier.current() : current;
      if (carrier != null) {
        SiteCounts added = new SiteCounts(carrier, index);
        VarHandle.releaseFence(); // the cache publishes it without synchronization
        COUNTS.putIfAbsent(key(added.threadId, index), added); // the carrier may change
      }
    }
  }

  /** Adds the counts of ended threads to sums, and forgets the threads. */
  private static void foldEnded() {
    for (Iterator<SiteCounts> all = COUNTS.values().iterator(); all.hasNext(); ) {
      SiteCounts each = all.next();
      if (each.isOfEndedThread()) {
        all.remove();
        int slot = slot(each.threadId, each.index);
        if (each.equals(CACHE[slot])) {
          CACHE[slot] = null;
        }
        SiteCounts sum = ENDED.at(each.index);
        sum.addOpened(each);
        sum.addClosed(each, 1);
        // Only a platform thread can close its arenas, so those open at its end stay so.
        sum.unclosedByEnded = isOfVirtualThreads(each.index) ? 0 : sum.live();
      }
    }
  }

  /**
   * Adds up all counts; for each thread what counts before the close of an arena first, and for
   * virtual threads, which may close on another carrier, first for all. So each arena that seems
   * live was open at a moment between the two. An arena that was opened and closed meanwhile counts
   * as closed only, and then hides one that is live.
   */
  static Sums read() {
    synchronized (ENDED) {
      foldEnded();
      Sums sums = new Sums(new ArrayList<>());
      List<SiteCounts> all = new ArrayList<>(ENDED.byIndex);
      all.addAll(COUNTS.values());
      for (SiteCounts each : all) {
        sums.at(each.index).addOpened(each);
        if (!isOfVirtualThreads(each.index)) {
          VarHandle.acquireFence();
          sums.at(each.index).addClosed(each, 1);
        }
      }
      VarHandle.acquireFence();
      for (SiteCounts each : all) {
        if (isOfVirtualThreads(each.index)) {
          sums.at(each.index).addClosed(each, 1);
        }
      }
      return sums;
    }
  }

  /** Forgets all counts. Arenas that are open now go uncounted when they are closed. */
  static void startAnew() {
    synchronized (ENDED) {
      COUNTS.clear();
      Arrays.fill(CACHE, null);
      ENDED.byIndex.clear();
    }
  }

  record Sums(List<SiteCounts> byIndex) {
    SiteCounts at(int index) {
      while (byIndex.size() <= index) {
        byIndex.add(new SiteCounts(byIndex.size()));
      }
      return byIndex.get(index);
    }

    SiteCounts ofSite(int site) {
      return sum(index(site, false), 1, 2);
    }

    SiteCounts ofThreads(boolean areVirtual) {
      return sum(index(0, areVirtual), 2, (byIndex.size() + 1) / 2);
    }

    private SiteCounts sum(int from, int step, int count) {
      SiteCounts sum = new SiteCounts(from);
      for (int i = 0; i < count; i++) {
        sum.addOpened(at(from + i * step));
        sum.addClosed(at(from + i * step), 1);
      }
      return sum;
    }
  }
}
