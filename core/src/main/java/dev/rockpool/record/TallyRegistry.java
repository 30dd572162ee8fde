package dev.rockpool.record;

import dev.rockpool.internal.LongTable;
import dev.rockpool.internal.StackSpace;
import dev.rockpool.internal.ThreadRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of all platform threads; the slow path behind {@link Recorder}.
 *
 * <p>What ended threads counted goes over to {@code kept}: each new thread looks at a few that were
 * not looked at for longest, and a reader at all of them. So there are at most 4/3 as many as there
 * were threads alive at once. Also in {@code kept} is what threads count that have no room for more
 * shapes. Once it holds {@value #MOST_KEPT} shapes, all threads count new ones without their site;
 * what was counted before stays where it is, as it may have been reported there. No thread is kept
 * reachable from here.
 *
 * <p>Tallies are moved, not copied, and link themselves: where there is no heap left, an arena may
 * not be counted, but nothing is lost, or counted twice, that was counted before.
 */
final class TallyRegistry {
  static final int MOST_KEPT = 1 << 16;

  /** Guarded by this, but for look-ups. */
  private final ThreadRegistry<ThreadTallies> live = new ThreadRegistry<>();

  /** By shape; guarded by this. */
  private final LongTable<Tally> kept = new LongTable<>();

  /** Made before it is needed: then there may be no heap for it. */
  private final Consumer<Tally> keep = this::keep;

  /** Read at will: a thread that learns of it late adds a few shapes more. */
  private boolean full;

  /** The tallies of a platform thread; null if there is no memory or stack left. */
  @Nullable ThreadTallies talliesOf(Thread thread) {
    ThreadTallies known = live.find(thread.threadId());
    return known != null ? known : add(thread);
  }

  private @Nullable ThreadTallies add(Thread thread) {
    try {
      return findOrAdd(thread);
    } catch (VirtualMachineError full) {
      return null;
    }
  }

  private synchronized ThreadTallies findOrAdd(Thread thread) {
    StackSpace.require();
    // Another virtual thread on this carrier may have been here meanwhile.
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
   * Counts an arena of a thread that has no room of its own.
   *
   * @return false if there is no memory or stack left; then it is not counted, and the program that
   *     closed it goes on
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
    }
    tally.add(allocations, bytes);
  }

  private Tally keptAs(long shape) {
    Tally known = kept.find(shape);
    if (known != null) {
      return known;
    }
    Tally added = new Tally(shape);
    keep(added);
    return added;
  }

  /** The shape to count instead of one that is new. */
  long toBeAdded(long shape) {
    return full ? Shape.withSite(shape, Sites.OTHERS) : shape;
  }

  private void keepEnded(int looks) {
    for (int look = looks; look > 0; look--) {
      ThreadTallies ended = live.look();
      if (ended != null) {
        ended.forEach(keep);
      }
    }
  }

  /** Of an ended thread, or new: nobody else has it. */
  private void keep(Tally tally) {
    Tally known = kept.find(tally.shape());
    if (known != null) {
      known.add(tally);
    } else {
      kept.add(tally);
      full = kept.size() >= MOST_KEPT;
    }
  }

  /** Copies of all that was counted so far, by shape; a little behind the threads at work. */
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

  /** How many threads have tallies, ended ones that nobody looked at yet included. */
  synchronized int threads() {
    return live.size();
  }
}
