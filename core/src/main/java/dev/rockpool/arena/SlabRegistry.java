package dev.rockpool.arena;

import dev.rockpool.internal.StackSpace;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of all platform threads of a pool; the slow path behind {@link SlabTable}.
 *
 * <p>The slabs of ended threads are freed, by {@link #sweep} once a second, or go to new threads
 * before that, so native memory is bounded by the threads that are alive, not by those there ever
 * were. To find ended threads without a hook at their end, each new thread looks at a few entries
 * at the head of {@code all}: those of ended threads become orphans, the others go to the tail.
 * Then it takes over an orphan, if there is any. No thread is kept reachable from here.
 *
 * <p>Each {@link ThreadSlabs} is in one of three places:
 *
 * <pre>
 *   all      its thread was alive at the last look     --thread found ended--&gt;  orphans, spent or freed
 *   orphans  ended, some slabs free                    --adopted--&gt; all         --none owned--&gt; freed
 *   spent    ended, each slab owned by an arena        --one comes back--&gt;      orphans or freed
 * </pre>
 *
 * A slab of an ended thread comes back if a virtual thread, carried elsewhere now, closes its
 * arena. Those of arenas that were never closed stay for ever, as their segments may be alive.
 */
final class SlabRegistry {
  /**
   * Entries looked at for one that is made. By the time that all have been looked at, a quarter as
   * many were made, so there are at most 4/3 as many as there were threads alive at once.
   */
  private static final int LOOKS = 4;

  private final int slabByteSize;
  private final int slabsPerThread;
  private final ConcurrentHashMap<Long, ThreadSlabs> byThreadId = new ConcurrentHashMap<>();

  /** The values of {@code byThreadId}, oldest look first; guarded by this. */
  private final ArrayDeque<ThreadSlabs> all = new ArrayDeque<>();

  /** Guarded by this. */
  private final ArrayDeque<ThreadSlabs> orphans = new ArrayDeque<>();

  /** Guarded by this. */
  private final ArrayDeque<ThreadSlabs> spent = new ArrayDeque<>();

  /** What those counted whose memory was freed; guarded by this. */
  private final PoolCounts freed = new PoolCounts();

  SlabRegistry(int slabByteSize, int slabsPerThread) {
    this.slabByteSize = slabByteSize;
    this.slabsPerThread = slabsPerThread;
  }

  int slabsPerThread() {
    return slabsPerThread;
  }

  /**
   * The slabs of {@code thread}: the current platform thread, or the carrier of the current virtual
   * thread, which may be on another one when this returns; null if there is no memory left.
   */
  @Nullable ThreadSlabs slabsOf(Thread thread) {
    ThreadSlabs known = known(thread.threadId());
    return known != null ? known : add(thread);
  }

  /** The slabs of the thread with that id, if it has any. */
  @Nullable ThreadSlabs known(long threadId) {
    return byThreadId.get(threadId);
  }

  private synchronized @Nullable ThreadSlabs add(Thread thread) {
    StackSpace.require();
    try {
      // Another virtual thread on this carrier may have been here meanwhile.
      ThreadSlabs known = byThreadId.get(thread.threadId());
      if (known != null) {
        return known;
      }
      ThreadSlabs adopted = adopt(thread);
      return adopted != null ? adopted : allocate(thread);
    } catch (OutOfMemoryError full) {
      // The regular way will find memory, or throw this error in the words of the JDK.
      return null;
    }
  }

  /** Takes over what an ended thread left. */
  private @Nullable ThreadSlabs adopt(Thread thread) {
    for (int look = Math.min(LOOKS, all.size()); look > 0; look--) {
      ThreadSlabs oldest = all.removeFirst();
      if (oldest.isOrphaned()) {
        byThreadId.remove(oldest.threadId, oldest);
        (oldest.hasFree() ? orphans : spent).addLast(oldest);
      } else {
        all.addLast(oldest);
      }
    }
    ThreadSlabs orphan = orphans.pollLast();
    if (orphan == null) {
      return null;
    }
    ThreadSlabs heir = orphan.passTo(thread);
    add(heir);
    return heir;
  }

  private @Nullable ThreadSlabs allocate(Thread thread) {
    ThreadSlabs slabs = ThreadSlabs.allocate(thread, slabByteSize, slabsPerThread);
    if (slabs == null) {
      return null;
    }
    add(slabs);
    return slabs;
  }

  private void add(ThreadSlabs slabs) {
    all.addLast(slabs);
    byThreadId.put(slabs.threadId, slabs);
  }

  /** Frees the memory of threads that have ended, as far as no arena owns a slab of it. */
  synchronized void sweep() {
    StackSpace.require();
    for (int look = all.size(); look > 0; look--) {
      ThreadSlabs oldest = all.removeFirst();
      if (oldest.isOrphaned()) {
        byThreadId.remove(oldest.threadId, oldest);
        freeOrKeep(oldest);
      } else {
        all.addLast(oldest);
      }
    }
    freeOrKeepAll(orphans);
    freeOrKeepAll(spent);
  }

  /** Frees all slabs that no arena owns: for a pool that nothing can reach any more. */
  synchronized void freeAll() {
    StackSpace.require();
    for (int look = all.size(); look > 0; look--) {
      ThreadSlabs oldest = all.removeFirst();
      if (oldest.owned() == 0) {
        byThreadId.remove(oldest.threadId, oldest);
        free(oldest);
      } else {
        all.addLast(oldest);
      }
    }
    freeOrKeepAll(orphans);
    freeOrKeepAll(spent);
  }

  private void freeOrKeepAll(ArrayDeque<ThreadSlabs> ended) {
    for (int look = ended.size(); look > 0; look--) {
      freeOrKeep(ended.removeFirst());
    }
  }

  /** For slabs of an ended thread that are in none of the three places. */
  private void freeOrKeep(ThreadSlabs ended) {
    if (ended.owned() == 0) {
      free(ended);
    } else {
      (ended.hasFree() ? orphans : spent).addLast(ended);
    }
  }

  private void free(ThreadSlabs forgotten) {
    freed.add(forgotten);
    forgotten.freeIfUnowned();
  }

  /** How many threads have slabs, ended ones that nobody looked at yet included. */
  synchronized int threads() {
    return all.size();
  }

  /** How many slabs are owned; exact while no thread is opening or closing arenas. */
  synchronized int owned() {
    return (int) sum(ThreadSlabs::owned);
  }

  /** Native memory of all threads (in bytes). */
  synchronized long byteSize() {
    return sum(ThreadSlabs::byteSize);
  }

  /** What all threads counted, ended ones included; a little behind those at work. */
  synchronized PoolCounts counts() {
    PoolCounts counts = new PoolCounts();
    counts.add(freed);
    all.forEach(counts::add);
    orphans.forEach(counts::add);
    spent.forEach(counts::add);
    return counts;
  }

  private long sum(ToLongFunction<ThreadSlabs> figure) {
    long sum = 0;
    for (ThreadSlabs slabs : all) {
      sum += figure.applyAsLong(slabs);
    }
    for (ThreadSlabs slabs : orphans) {
      sum += figure.applyAsLong(slabs);
    }
    for (ThreadSlabs slabs : spent) {
      sum += figure.applyAsLong(slabs);
    }
    return sum;
  }

  /** Checks the slabs of all threads; call while none of them is at work. */
  synchronized void checkInvariants() {
    if (all.size() != byThreadId.size()) {
      throw new AssertionError("known: " + all.size() + ", by thread: " + byThreadId.size());
    }
    for (ThreadSlabs slabs : all) {
      if (byThreadId.get(slabs.threadId) != slabs) {
        throw new AssertionError("not known by its thread: " + slabs.threadId);
      }
      slabs.checkInvariants();
    }
    orphans.forEach(ThreadSlabs::checkInvariants);
    spent.forEach(ThreadSlabs::checkInvariants);
  }
}
