package dev.rockpool.arena;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.StackSpace;
import dev.rockpool.internal.ThreadRegistry;
import dev.rockpool.internal.ThreadRegistry.Queue;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of all platform threads of a pool; the slow path behind {@link SlabTable}.
 *
 * <p>The slabs of ended threads are freed, by {@link #sweep} once a second, or go to new threads
 * before that, so native memory is bounded by the threads that are alive, not by those there ever
 * were. Each new thread looks at a few entries of {@code live} that were not looked at for longest:
 * those of ended threads become orphans. Then it takes over an orphan, if there is any. No thread
 * is kept reachable from here.
 *
 * <p>Each {@link ThreadSlabs} is in one of three places:
 *
 * <pre>
 *   live     its thread was alive at the last look     --thread found ended--&gt;  orphans, spent or freed
 *   orphans  ended, some slabs free                    --adopted--&gt; live        --none owned--&gt; freed
 *   spent    ended, each slab owned by an arena        --one comes back--&gt;      orphans or freed
 * </pre>
 *
 * A slab of an ended thread comes back if a virtual thread, carried elsewhere now, closes its
 * arena. Those of arenas that were never closed stay for ever, as their segments may be alive.
 *
 * <p>Everything is allocated before anything is moved, and to move allocates nothing: wherever the
 * heap ends, each row stays in its place.
 */
final class SlabRegistry {
  private final int slabByteSize;
  private final int slabsPerThread;

  /** Guarded by this, but for look-ups, as are both queues. */
  private final ThreadRegistry<ThreadSlabs> live = new ThreadRegistry<>();

  private final Queue<ThreadSlabs> orphans = new Queue<>();
  private final Queue<ThreadSlabs> spent = new Queue<>();

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
    return live.find(threadId);
  }

  private @Nullable ThreadSlabs add(Thread thread) {
    Housekeeper.ensureRunning();
    try {
      return findOrAdd(thread);
    } catch (OutOfMemoryError full) {
      // The regular way will find memory, or throw this error in the words of the JDK.
      return null;
    }
  }

  private synchronized @Nullable ThreadSlabs findOrAdd(Thread thread) {
    StackSpace.require();
    // Another virtual thread on this carrier may have been here meanwhile.
    ThreadSlabs known = live.find(thread.threadId());
    if (known != null) {
      return known;
    }
    keepEnded(live.looks());
    ThreadSlabs added = adoptOrAllocate(thread);
    if (added != null) {
      live.add(added);
    }
    return added;
  }

  private void keepEnded(int looks) {
    for (int look = looks; look > 0; look--) {
      ThreadSlabs ended = live.look();
      if (ended != null) {
        keep(ended);
      }
    }
  }

  private @Nullable ThreadSlabs adoptOrAllocate(Thread thread) {
    ThreadSlabs orphan = orphans.first();
    if (orphan == null) {
      return ThreadSlabs.allocate(thread, slabByteSize, slabsPerThread);
    }
    ThreadSlabs heir = orphan.passTo(thread); // may fail, and then the orphan has to stay
    orphans.poll();
    return heir;
  }

  /** For slabs of an ended thread that are in none of the three places. */
  private void keep(ThreadSlabs ended) {
    (ended.hasFree() ? orphans : spent).add(ended);
  }

  /** Frees the memory of threads that have ended, as far as no arena owns a slab of it. */
  synchronized void sweep() {
    StackSpace.require();
    keepEnded(live.size());
    freeOrKeepAll(orphans);
    freeOrKeepAll(spent);
  }

  /** Frees all slabs that no arena owns: for a pool that nothing can reach any more. */
  synchronized void freeAll() {
    StackSpace.require();
    for (int look = live.size(); look > 0; look--) {
      ThreadSlabs oldest = live.poll();
      if (oldest != null && !freeIfUnowned(oldest)) {
        live.add(oldest);
      }
    }
    freeOrKeepAll(orphans);
    freeOrKeepAll(spent);
  }

  private void freeOrKeepAll(Queue<ThreadSlabs> ended) {
    for (int look = ended.size(); look > 0; look--) {
      ThreadSlabs oldest = ended.poll();
      if (oldest != null && !freeIfUnowned(oldest)) {
        keep(oldest);
      }
    }
  }

  private boolean freeIfUnowned(ThreadSlabs slabs) {
    if (!slabs.freeIfUnowned()) {
      return false;
    }
    freed.add(slabs);
    return true;
  }

  /** How many threads have slabs, ended ones that nobody looked at yet included. */
  synchronized int threads() {
    return live.size();
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
    forEach(counts::add);
    return counts;
  }

  private long sum(ToLongFunction<ThreadSlabs> figure) {
    long[] sum = new long[1];
    forEach(slabs -> sum[0] += figure.applyAsLong(slabs));
    return sum[0];
  }

  private void forEach(Consumer<ThreadSlabs> reader) {
    live.forEach(reader);
    orphans.forEach(reader);
    spent.forEach(reader);
  }

  /** Checks the slabs of all threads; call while none of them is at work. */
  synchronized void checkInvariants() {
    live.checkInvariants();
    forEach(ThreadSlabs::checkInvariants);
  }
}
