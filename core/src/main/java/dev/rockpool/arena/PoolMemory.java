package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Account;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The kept blocks of all threads. Not part of {@link BlockPool}, because they are freed once that
 * is unreachable.
 *
 * <p>The JDK has no hook at the end of a thread. So the housekeeper frees the blocks of ended
 * threads once a second; and for each new thread a few others are examined.
 */
final class PoolMemory {
  /**
   * Threads examined for each new one. So at most a third more are known than were alive at once.
   */
  private static final int EXAMINED = 4;

  /**
   * Arenas that a platform thread closes before it keeps blocks, as it may end after a few: its
   * entry here takes as much time to make as some twenty arenas of the JDK. Who uses the library
   * knows whether threads end early.
   */
  private static final int EARLY_ARENAS =
      PoolMemory.class.getModule() == Object.class.getModule() ? 16 : 0;

  private static final int EARLY_LENGTH = 1024;

  /** Lower bits of an element of {@code early} for a count; the upper bits are a thread's id. */
  private static final int COUNT_BITS = 16;

  final int blockByteSize;
  final int blocksPerThread;

  /** Holds all blocks, kept ones and those of arenas. */
  final Account account;

  /** By thread id. Changed with the lock of this. */
  private final Map<Long, ThreadBlocks> threads = new ConcurrentHashMap<>();

  /** Goes round the threads; guarded by this. */
  private Iterator<ThreadBlocks> round = threads.values().iterator();

  /** Counts of threads' early arenas, by id. Updates are plain, so races lose some. */
  private final long[] early = new long[EARLY_LENGTH];

  /** Blocks for threads that keep none. */
  final StripedBlocks striped = new StripedBlocks(StripedBlocks.defaultCount());

  /** Counts of such threads, and of ended ones, see {@link ThreadBlocks}. */
  final LongAdder arenasClosed = new LongAdder();

  /**
   * Blocks that were allocated, and allocations that were left to the JDK, each in eight places by
   * thread id, so that threads seldom write to the same cache line. Plain, so a race loses some:
   * finding the thread's own count would take a tenth of the time of the JDK's allocation.
   */
  private final long[] blocksAllocated = new long[64];

  private final long[] allocationsByJdk = new long[64];

  PoolMemory(int blockByteSize, int blocksPerThread, Account account) {
    this.blockByteSize = blockByteSize;
    this.blocksPerThread = blocksPerThread;
    this.account = account;
  }

  /** Allocates a block, zeroed; returns 0 if there is no memory, or no room within a limit. */
  long allocate() {
    if (!account.tryCharge(blockByteSize)) {
      return 0;
    }
    long address = NativeMemory.allocateZeroed(blockByteSize);
    if (address == 0) {
      account.refund(blockByteSize);
      return 0;
    }
    blocksAllocated[placeOfCount()]++;
    return address;
  }

  void free(long block) {
    NativeMemory.free(block);
    account.refund(blockByteSize);
  }

  void countAllocationByJdk() {
    allocationsByJdk[placeOfCount()]++;
  }

  private static int placeOfCount() {
    return (int) Thread.currentThread().threadId() * 8 & 63;
  }

  /**
   * Returns the blocks of the platform thread that runs the caller, or has run it just now; makes
   * them if there are none.
   *
   * @return null at a thread's first arenas, if its carrier can't be reached, or without heap
   */
  @Nullable ThreadBlocks findOrMake() {
    try {
      long id = Carrier.platformThreadId();
      ThreadBlocks known = threads.get(id);
      if (known != null || id == Carrier.NONE) {
        return known;
      }
      Thread current = Thread.currentThread();
      Housekeeper.ensureRunning();
      if (!current.isVirtual()) {
        return countEarly(id) ? null : add(current);
      }
      return add(Carrier.current());
    } catch (OutOfMemoryError noHeap) {
      return null; // closing an arena needs no heap
    }
  }

  /** Counts a block given back, and returns whether it is among the first of its thread. */
  private boolean countEarly(long threadId) {
    int at = (int) threadId & (EARLY_LENGTH - 1);
    long known = early[at];
    if (known >>> COUNT_BITS > threadId) {
      return false; // a younger thread uses the element: this one counts as long-lived
    }
    early[at] = known >>> COUNT_BITS == threadId ? known + 1 : threadId << COUNT_BITS | 1;
    return (early[at] & (1 << COUNT_BITS) - 1) <= EARLY_ARENAS;
  }

  private synchronized ThreadBlocks add(Thread thread) {
    for (int i = 0; i < EXAMINED; i++) {
      if (round.hasNext()) {
        freeIfEnded(round.next());
      } else {
        round = threads.values().iterator();
      }
    }
    ThreadBlocks known = threads.get(thread.threadId());
    if (known == null) {
      known = new ThreadBlocks(thread, this);
      threads.put(known.threadId, known);
    }
    return known;
  }

  synchronized void freeEnded() {
    threads.values().forEach(this::freeIfEnded);
  }

  /** Does nothing if the entry was removed before, which an iterator may still return. */
  private void freeIfEnded(ThreadBlocks blocks) {
    if (blocks.isOfEndedThread() && threads.remove(blocks.threadId, blocks)) {
      blocks.freeAll();
      arenasClosed.add(blocks.arenasClosed);
    }
  }

  /** Frees all kept blocks. Nobody may use the pool any more. */
  synchronized void freeAll() {
    for (ThreadBlocks each : threads.values()) {
      each.freeAll();
    }
    account.refund((long) striped.freeAll() * blockByteSize);
  }

  synchronized PoolStatistics statistics(State state) {
    freeEnded();
    long blocks = striped.count();
    long closed = arenasClosed.sum();
    for (ThreadBlocks each : threads.values()) {
      blocks += each.count();
      closed += each.arenasClosed;
    }
    boolean isChecked = state == State.CHECKED;
    return new PoolStatistics(
        state,
        blockByteSize,
        blocksPerThread,
        closed,
        LongStream.of(blocksAllocated).sum(),
        LongStream.of(allocationsByJdk).sum(),
        blocks * blockByteSize,
        threads.size(),
        isChecked ? Quarantine.SHARED.overruns() : 0,
        isChecked ? Quarantine.SHARED.lateWrites() : 0);
  }

  /** Checks that all kept memory is zero; call while no thread is at work. */
  void checkInvariants() {
    striped.checkInvariants(blockByteSize);
    threads.values().forEach(each -> each.checkInvariants(blockByteSize));
  }
}
