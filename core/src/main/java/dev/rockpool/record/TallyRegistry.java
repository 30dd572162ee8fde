package dev.rockpool.record;

import dev.rockpool.internal.LongTable;
import dev.rockpool.internal.StackSpace;
import dev.rockpool.internal.ThreadRegistry;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of all platform threads; the slow path behind {@link Recorder}.
 *
 * <p>Tallies of ended threads move to {@code kept}: each new thread checks the few threads that
 * were unchecked for longest, and a reader checks all. So at most 4/3 as many threads have tallies
 * as were alive at once. Threads without room for more shapes count in {@code kept}, too. Once
 * {@code kept} holds {@value #MOST_KEPT} shapes, all threads count new shapes without their site.
 * Older tallies keep their site, because they may have been reported with it. The registry keeps no
 * thread reachable.
 *
 * <p>Tallies are moved, not copied, and are their own list nodes. So if the heap is exhausted, an
 * arena may not be counted, but no earlier count is lost or counted twice.
 */
final class TallyRegistry {
  static final int MOST_KEPT = 1 << 16;

  /** Guarded by this, except for look-ups. */
  private final ThreadRegistry<ThreadTallies> live = new ThreadRegistry<>();

  /** Guarded by this. */
  private final LongTable<Tally> kept = new LongTable<>();

  /** Arenas opened at each site, by ended threads and by those without room; guarded by this. */
  private final int[] keptOpened = new int[Shape.SITES];

  /** Made early, because the heap may be exhausted when it is needed. */
  private final Consumer<Tally> keep = this::keep;

  /** Read without synchronization: a thread with a stale value adds a few more shapes. */
  private boolean full;

  /** Arenas of threads without room, opened since the table was full. */
  private int openedWhenFull;

  /** Returns the tallies of a platform thread; null if memory or stack runs out. */
  @Nullable ThreadTallies talliesOf(Thread thread) {
    ThreadTallies known = live.find(thread.threadId());
    try {
      return known != null ? known : findOrAdd(thread);
    } catch (VirtualMachineError full) {
      return null;
    }
  }

  private synchronized ThreadTallies findOrAdd(Thread thread) {
    StackSpace.require();
    // Another virtual thread on this carrier may have added them meanwhile.
    ThreadTallies known = live.find(thread.threadId());
    if (known != null) {
      return known;
    }
    keepEnded(live.looks());
    ThreadTallies added = new ThreadTallies(thread, this);
    live.add(added);
    return added;
  }

  /**
   * Counts an arena of a thread that has no tally for it.
   *
   * @return false if memory or stack runs out: then the arena is not counted, but the program that
   *     closed the arena must not fail
   */
  boolean count(long shape, long allocations, long bytes) {
    try {
      countKept(shape, allocations, bytes);
      return true;
    } catch (VirtualMachineError full) {
      return false;
    }
  }

  private synchronized void countKept(long shape, long allocations, long bytes) {
    StackSpace.require();
    Tally tally = kept.find(shape);
    if (tally == null) {
      tally = keptAs(toBeAdded(shape));
      keptOpened[Shape.site(shape)]--;
      keptOpened[Shape.site(tally.shape())]++;
    }
    tally.add(allocations, bytes);
  }

  /**
   * Counts opened arenas of a thread without room, or takes them back.
   *
   * @return the number of those before, of that site; if the table is full, of all sites, because
   *     most arenas then move to another site when they are closed, and each would seem the first
   */
  synchronized int opens(int site, int arenas) {
    int before = full ? openedWhenFull : keptOpened[site];
    keptOpened[site] += arenas;
    openedWhenFull += full ? arenas : 0;
    return before;
  }

  private Tally keptAs(long shape) {
    Tally known = kept.find(shape);
    if (known == null) {
      known = new Tally(shape);
      keep(known);
    }
    return known;
  }

  /** Returns the shape to count instead of a new one. */
  long toBeAdded(long shape) {
    return full ? Shape.withSite(shape, Sites.OTHERS) : shape;
  }

  private void keepEnded(int looks) {
    for (int look = looks; look > 0; look--) {
      ThreadTallies ended = live.look();
      if (ended != null) {
        ended.forEach(keep);
        ended.addOpenedTo(keptOpened);
      }
    }
  }

  /** Adds a tally of an ended thread, or a new tally: no other thread writes to either. */
  private void keep(Tally tally) {
    Tally known = kept.find(tally.shape());
    if (known != null) {
      known.add(tally);
    } else {
      kept.add(tally);
      full = kept.size() >= MOST_KEPT;
    }
  }

  /** Returns copies of all tallies, by shape; may be a few arenas behind threads at work. */
  synchronized Map<Long, Tally> read() {
    StackSpace.require();
    keepEnded(live.size());
    Map<Long, Tally> sum = new HashMap<>();
    kept.forEach(tally -> sum.put(tally.shape(), new Tally(tally)));
    live.forEach(
        thread ->
            thread.forEach(tally -> sum.computeIfAbsent(tally.shape(), Tally::new).add(tally)));
    return sum;
  }

  /**
   * Adds all counts; the opened arenas first. So each arena that counts as live was open at the
   * moment between the two, and no more count than were live at once. An arena that was opened and
   * closed meanwhile may count as closed only, and then hides one that is live.
   */
  synchronized void addTo(Recorder.BySite sums) {
    StackSpace.require();
    keepEnded(live.size());
    live.forEach(sums.addOpenedOfThread);
    for (int site = 0; site < sums.opened.length; site++) {
      sums.opened[site] += keptOpened[site];
    }
    VarHandle.acquireFence();
    kept.forEach(sums.addClosed);
    live.forEach(sums.addClosedOfThread);
  }

  /** Returns how many threads have tallies, including ended ones not yet checked. */
  synchronized int threads() {
    return live.size();
  }
}
