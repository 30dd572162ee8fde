package dev.rockpool.record;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
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

  /** Read and written without synchronization. */
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
        ENDED.add(each.index, each, false);
        ENDED.add(each.index, each, true);
        // Only a platform thread can close its arenas, so those open at its end stay so.
        SiteCounts sum = ENDED.at(each.index);
        sum.unclosedByEnded = isOfVirtualThreads(each.index) ? 0 : sum.live();
      }
    }
  }

  /**
   * Adds up all counts; what counts before the close of an arena first. So each arena that seems
   * live was open at the moment between the two. An arena that was opened and closed meanwhile
   * counts as closed only, and then hides one that is live.
   */
  static Sums read() {
    Sums sums = new Sums(new ArrayList<>());
    synchronized (ENDED) {
      foldEnded();
      for (boolean isClosed : new boolean[] {false, true}) {
        VarHandle.acquireFence();
        for (int index = 0; index < ENDED.byIndex.size(); index++) {
          sums.add(index, ENDED.at(index), isClosed);
        }
        COUNTS.values().forEach(each -> sums.add(each.index, each, isClosed));
      }
    }
    return sums;
  }

  /** Returns the number of threads times sites that have counts of their own. */
  static int size() {
    return COUNTS.size();
  }

  /** The counts of all threads at one moment, by index. */
  record Sums(List<SiteCounts> byIndex) {
    SiteCounts at(int index) {
      while (byIndex.size() <= index) {
        byIndex.add(new SiteCounts());
      }
      return byIndex.get(index);
    }

    /** Adds what counts when an arena is closed, or what counts before. */
    void add(int index, SiteCounts counts, boolean isClosed) {
      if (isClosed) {
        at(index).addClosed(counts, 1);
      } else {
        at(index).addOpened(counts);
      }
    }

    SiteCounts ofSite(int site) {
      return sum(index(site, false), 1, 2);
    }

    SiteCounts ofThreads(boolean areVirtual) {
      return sum(index(0, areVirtual), 2, (byIndex.size() + 1) / 2);
    }

    private SiteCounts sum(int from, int step, int count) {
      SiteCounts sum = new SiteCounts();
      for (int i = 0; i < count; i++) {
        sum.addOpened(at(from + i * step));
        sum.addClosed(at(from + i * step), 1);
      }
      return sum;
    }
  }
}
