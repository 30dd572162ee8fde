package dev.rockpool.arena;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.StackSpace;
import dev.rockpool.internal.ThreadRegistry;
import dev.rockpool.internal.ThreadRegistry.Queue;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of all platform threads of a pool; the slow path behind {@link Pool}.
 *
 * <p>The slabs of ended threads are freed by {@link #sweep} once a second, or passed to new threads
 * before. So native memory is bounded by the number of live threads. Each new thread checks the few
 * entries of {@code live} that were unchecked for longest; those of ended threads become orphans.
 * Then the new thread takes over an orphan, if there is one. The registry keeps no thread
 * reachable.
 *
 * <p>Each {@link ThreadSlabs} is in one of three places:
 *
 * <pre>
 *   live     its thread was alive at the last look     --thread found ended--&gt;  orphans, spent or freed
 *   orphans  ended, some slabs free                    --adopted--&gt; live        --none owned--&gt; freed
 *   spent    ended, each slab owned by an arena        --one is returned--&gt;     orphans or freed
 * </pre>
 *
 * A slab of an ended thread is returned if a virtual thread, on another carrier now, closes its
 * arena. Slabs of arenas that were never closed are never freed, as their segments may be alive.
 *
 * <p>Moving a {@code ThreadSlabs} allocates nothing; all allocations come before. So an exhausted
 * heap leaves each in its place.
 */
final class SlabRegistry {
  /** A constant, because linking it later may fail at a full heap. */
  private static final Consumer<ThreadSlabs> RETURN_ABANDONED = new ReturnAbandoned();

  private final int slabByteSize;
  private final int slabsPerThread;

  /** Guarded by this, except for look-ups; both queues are guarded by this, too. */
  private final ThreadRegistry<ThreadSlabs> live = new ThreadRegistry<>();

  private final Queue<ThreadSlabs> orphans = new Queue<>();
  private final Queue<ThreadSlabs> spent = new Queue<>();

  /** Counts of the slabs whose memory was freed; guarded by this. */
  private final Pool.Counts freed = new Pool.Counts();

  SlabRegistry(int slabByteSize, int slabsPerThread) {
    this.slabByteSize = slabByteSize;
    this.slabsPerThread = slabsPerThread;
  }

  int slabsPerThread() {
    return slabsPerThread;
  }

  /**
   * Returns the slabs of {@code thread}; null if memory runs out. {@code thread} is the current
   * platform thread, or the carrier of the current virtual thread, which may be on another carrier
   * when this returns.
   */
  @Nullable ThreadSlabs slabsOf(Thread thread) {
    ThreadSlabs known = known(thread.threadId());
    if (known != null) {
      return known;
    }
    Housekeeper.ensureRunning();
    try {
      return findOrAdd(thread);
    } catch (OutOfMemoryError full) {
      // The fallback will find memory, or throw the JDK's own OutOfMemoryError.
      return null;
    }
  }

  @Nullable ThreadSlabs known(long threadId) {
    return live.find(threadId);
  }

  private synchronized @Nullable ThreadSlabs findOrAdd(Thread thread) {
    StackSpace.require();
    // Another virtual thread on this carrier may have added them meanwhile.
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
    ThreadSlabs heir = orphan.passTo(thread); // before poll, because this may fail
    orphans.poll();
    return heir;
  }

  /** Keeps the slabs of an ended thread, which are in none of the three places now. */
  private void keep(ThreadSlabs ended) {
    (ended.hasFree() ? orphans : spent).add(ended);
  }

  /** Not a lambda, which the start of the pool would take a millisecond to make. */
  private static final class ReturnAbandoned implements Consumer<ThreadSlabs> {
    @Override
    public void accept(ThreadSlabs slabs) {
      slabs.returnAbandoned();
    }
  }

  /** See {@link ThreadSlabs#returnAbandoned}; to be called once a second. */
  synchronized void returnAbandoned() {
    forEach(RETURN_ABANDONED);
  }

  /** Frees each ended thread's slabs, unless an arena owns one of them. */
  synchronized void sweep() {
    StackSpace.require();
    keepEnded(live.size());
    freeOrKeepAll(orphans);
    freeOrKeepAll(spent);
  }

  /** Frees each thread's slabs, unless an arena owns one of them. For an unreachable pool. */
  synchronized void freeAll() {
    StackSpace.require();
    returnAbandoned();
    returnAbandoned(); // at once: the collector has found the arenas after their last access
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

  /** Returns the number of threads with slabs, including ended ones not yet checked. */
  synchronized int threads() {
    return live.size();
  }

  synchronized int owned() {
    return (int) sum(ThreadSlabs::owned);
  }

  synchronized long byteSize() {
    return sum(ThreadSlabs::byteSize);
  }

  /** Returns the counts of all threads, including ended ones; may be behind threads at work. */
  synchronized Pool.Counts counts() {
    Pool.Counts counts = new Pool.Counts();
    counts.add(freed);
    forEach(counts::add);
    return counts;
  }

  /** Returns how many arenas carriers have served, without those whose slabs are freed. */
  synchronized long servedByCarriers() {
    return sum(slabs -> slabs.isOfCarrier ? slabs.served : 0);
  }

  private long sum(ToLongFunction<ThreadSlabs> figure) {
    long[] sum = new long[1];
    forEach(slabs -> sum[0] += figure.applyAsLong(slabs));
    return sum[0];
  }

  void forEach(Consumer<ThreadSlabs> reader) {
    live.forEach(reader);
    orphans.forEach(reader);
    spent.forEach(reader);
  }

  /** Checks the slabs of all threads; call while no thread is at work. */
  synchronized void checkInvariants() {
    live.checkInvariants();
    forEach(ThreadSlabs::checkInvariants);
  }
}
