package dev.rockpool.record;

import dev.rockpool.internal.StackSpace;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of all platform threads; the slow path behind {@link Recorder}.
 *
 * <p>What ended threads counted is added to {@code kept}, and their tallies dropped: each new
 * thread looks at a few at the head of {@code all}, and a reader at all of them. So there are at
 * most 4/3 as many as there were threads alive at once. Also in {@code kept} is what threads count
 * that have no room for more shapes. Once it holds {@value #MOST_KEPT} shapes, all threads count
 * new ones without their site; what was counted before stays where it is, as it may have been
 * reported there. No thread is kept reachable from here.
 */
final class TallyRegistry {
  static final int MOST_KEPT = 1 << 16;
  private static final int LOOKS = 4;

  private final ConcurrentHashMap<Long, ThreadTallies> byThreadId = new ConcurrentHashMap<>();

  /** The values of {@code byThreadId}, oldest look first; guarded by this. */
  private final ArrayDeque<ThreadTallies> all = new ArrayDeque<>();

  /** Guarded by this. */
  private final Map<Long, Tally> kept = new HashMap<>();

  /** Read at will: a thread that learns of it late adds a few shapes more. */
  private boolean full;

  /** The tallies of a platform thread; null if there is no memory or stack left. */
  @Nullable ThreadTallies talliesOf(Thread thread) {
    ThreadTallies known = byThreadId.get(thread.threadId());
    return known != null ? known : add(thread);
  }

  private synchronized @Nullable ThreadTallies add(Thread thread) {
    try {
      StackSpace.require();
      // Another virtual thread on this carrier may have been here meanwhile.
      ThreadTallies known = byThreadId.get(thread.threadId());
      if (known != null) {
        return known;
      }
      keepEnded(Math.min(LOOKS, all.size()));
      ThreadTallies added = new ThreadTallies(thread, this);
      all.addLast(added);
      byThreadId.put(added.threadId, added);
      return added;
    } catch (VirtualMachineError full) {
      return null;
    }
  }

  /** Counts an arena of a thread that has no room of its own. */
  synchronized void count(long shape, long allocations, long bytes) {
    StackSpace.require();
    kept(kept.containsKey(shape) ? shape : toBeAdded(shape)).add(allocations, bytes);
  }

  /** The shape to count instead of one that is new. */
  long toBeAdded(long shape) {
    return full ? Shape.withSite(shape, Sites.OTHERS) : shape;
  }

  private void keepEnded(int looks) {
    for (int look = looks; look > 0; look--) {
      ThreadTallies oldest = all.removeFirst();
      if (oldest.isComplete()) {
        byThreadId.remove(oldest.threadId, oldest);
        oldest.forEach(tally -> kept(tally.shape()).add(tally));
      } else {
        all.addLast(oldest);
      }
    }
  }

  private Tally kept(long shape) {
    Tally tally = kept.computeIfAbsent(shape, Tally::new);
    full = kept.size() >= MOST_KEPT;
    return tally;
  }

  /** Copies of all that was counted so far, by shape; a little behind the threads at work. */
  synchronized Map<Long, Tally> read() {
    keepEnded(all.size());
    Map<Long, Tally> sum = new HashMap<>();
    kept.forEach((shape, tally) -> sum.put(shape, new Tally(tally)));
    for (ThreadTallies thread : all) {
      thread.forEach(tally -> sum.computeIfAbsent(tally.shape(), Tally::new).add(tally));
    }
    return sum;
  }

  /** How many threads have tallies, ended ones that nobody looked at yet included. */
  synchronized int threads() {
    return all.size();
  }
}
