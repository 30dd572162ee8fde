package dev.rockpool.arena;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All slabs of a pool, by thread; the slow path behind {@link SlabTable}.
 *
 * <p>The slabs of ended threads go to new threads, so native memory is bounded by the threads that
 * were alive at once, not by those there ever were. To find ended threads without a hook at their
 * end, each new thread looks at a few entries at the head of {@code all}: those of ended threads
 * become orphans, the others go to the tail. Then it takes over an orphan, if there is any. No
 * thread is kept reachable from here.
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

  /** What ended threads left, with at least one free slab each; guarded by this. */
  private final ArrayDeque<ThreadSlabs> orphans = new ArrayDeque<>();

  SlabRegistry(int slabByteSize, int slabsPerThread) {
    this.slabByteSize = slabByteSize;
    this.slabsPerThread = slabsPerThread;
  }

  int slabsPerThread() {
    return slabsPerThread;
  }

  /** The slabs of {@code current}, the current platform thread; null if there is no memory left. */
  @Nullable ThreadSlabs slabsOf(Thread current) {
    ThreadSlabs known = byThreadId.get(current.threadId());
    return known != null ? known : add(current);
  }

  private synchronized @Nullable ThreadSlabs add(Thread current) {
    try {
      ThreadSlabs adopted = adopt(current);
      return adopted != null ? adopted : allocate(current);
    } catch (OutOfMemoryError full) {
      // The regular way will find memory, or throw this error in the words of the JDK.
      return null;
    }
  }

  /** Takes over what an ended thread left. Whatever fails, fails before the first change. */
  private @Nullable ThreadSlabs adopt(Thread current) {
    findOrphans();
    ThreadSlabs orphan = orphans.peekLast();
    if (orphan == null) {
      return null;
    }
    ThreadSlabs heir = orphan.passTo(current);
    add(heir);
    orphans.removeLast();
    return heir;
  }

  private void findOrphans() {
    for (int look = Math.min(LOOKS, all.size()); look > 0; look--) {
      ThreadSlabs oldest = all.getFirst();
      if (!oldest.isOrphaned()) {
        all.addLast(all.removeFirst());
        continue;
      }
      // Else each of its slabs is lost with an arena that was never closed.
      if (oldest.hasFree()) {
        orphans.addLast(oldest);
      }
      all.removeFirst();
      byThreadId.remove(oldest.threadId, oldest);
    }
  }

  private ThreadSlabs allocate(Thread current) {
    ThreadSlabs slabs = ThreadSlabs.allocate(current, slabByteSize, slabsPerThread);
    try {
      add(slabs);
      return slabs;
    } catch (Throwable failure) {
      slabs.freeIfUnowned();
      throw failure;
    }
  }

  private void add(ThreadSlabs slabs) {
    try {
      all.addLast(slabs);
      byThreadId.put(slabs.threadId, slabs);
    } catch (Throwable failure) {
      all.removeLastOccurrence(slabs);
      throw failure;
    }
  }

  /** Frees all slabs that no arena owns: for a pool that nothing can reach any more. */
  synchronized void freeAll() {
    all.removeIf(ThreadSlabs::freeIfUnowned);
    orphans.removeIf(ThreadSlabs::freeIfUnowned);
  }

  /** How many threads have slabs, ended ones whose slabs nobody took over included. */
  synchronized int threads() {
    return all.size() + orphans.size();
  }

  /** How many slabs are owned; exact while no thread is opening or closing arenas. */
  synchronized int owned() {
    int owned = 0;
    for (ThreadSlabs slabs : all) {
      owned += slabs.owned();
    }
    for (ThreadSlabs slabs : orphans) {
      owned += slabs.owned();
    }
    return owned;
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
  }
}
