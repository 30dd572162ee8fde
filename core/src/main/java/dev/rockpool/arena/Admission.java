package dev.rockpool.arena;

import dev.rockpool.internal.Stable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Denies slabs where they do not pay off.
 *
 * <ul>
 *   <li>A platform thread gets no slabs of its own for its first arenas, because it may end after a
 *       few. These share slabs.
 *   <li>Virtual threads get none at all where many wait inside their arenas: there the pool costs
 *       time, and serves next to none. At least four of five of their arenas found no slab for a
 *       third of a second. A later decision would make C2 compile their code twice.
 * </ul>
 *
 * <p>Updates of {@code young} are plain, so races lose some. A lost update only delays a thread's
 * first slabs.
 */
final class Admission {
  /** Number of elements; a thread has the element of its id modulo this, until another takes it. */
  private static final int REMEMBERED = 1024;

  /** Lower bits of an element for the count of arenas; the upper bits are the thread's id. */
  private static final int COUNT_BITS = 16;

  private static final long COUNT = (1 << COUNT_BITS) - 1;

  /** Refused arenas of virtual threads between two looks at the served ones. */
  static final int PERIOD = 1024;

  /** Arenas that are served in a period, at the most, where four of five find no slab. */
  private static final int FEW_SERVED = PERIOD / 4;

  /**
   * Votes in a row until virtual threads are left to the JDK; a period with few served is a vote.
   */
  static final int VOTES = 8;

  /** Least time between two votes. */
  static final long VOTE_NANOS = 50_000_000;

  private final int firstArenas;
  private final long[] young;

  /** Whether arenas of virtual threads are the JDK's; for good, so that C2 drops the other way. */
  @Stable boolean leavesVirtualThreads;

  private final AtomicLong refused = new AtomicLong();

  /** Guarded by this; so are the next two. */
  private long servedBefore;

  private int votes;
  private long lastVoteNanos;

  /**
   * {@code firstArenas} is the number of arenas of a platform thread before it gets slabs: these
   * take as much time to make as some twenty arenas of the JDK.
   */
  Admission(int firstArenas) {
    this.firstArenas = firstArenas;
    young = new long[firstArenas == 0 ? 0 : REMEMBERED];
  }

  /** Counts an arena of a virtual thread that found no slab, when the arena is closed. */
  void refused(Pool pool) {
    if (refused.incrementAndGet() % PERIOD == 0) {
      try {
        compare(pool.servedOnVirtualThreads(), System.nanoTime());
      } catch (VirtualMachineError noSpace) {
        return; // the next thread decides
      }
    }
  }

  /**
   * Compares a period of refused arenas with those that the pool served meanwhile. The served ones
   * become fewer when a carrier ends; that period says nothing.
   */
  private synchronized void compare(long served, long now) {
    if (Math.abs(served - servedBefore) > FEW_SERVED) {
      votes = 0;
    } else if (votes == 0 || now - lastVoteNanos >= VOTE_NANOS) {
      lastVoteNanos = now;
      votes++;
      if (votes == VOTES) {
        leavesVirtualThreads = true;
      }
    }
    servedBefore = served;
  }

  /**
   * Counts an arena of a platform thread that has no slabs yet; returns whether the arena is among
   * the first. An arena that found no slab counts once more at each further allocation.
   */
  boolean isAmongFirst(long threadId) {
    if (firstArenas == 0) {
      return false;
    }
    int at = (int) threadId & (REMEMBERED - 1);
    long known = young[at];
    long knownId = known >>> COUNT_BITS;
    if (threadId < knownId) {
      return false; // A younger thread took the element, so this thread has lived long.
    }
    if (threadId > knownId) {
      young[at] = threadId << COUNT_BITS | 1;
      return true;
    }
    if ((known & COUNT) > firstArenas) {
      return false;
    }
    young[at] = known + 1;
    return (known & COUNT) < firstArenas;
  }

  /** Whether the last answer of {@link #isAmongFirst} for this thread was yes. */
  boolean wasAmongFirst(long threadId) {
    long known = firstArenas == 0 ? 0 : young[(int) threadId & (REMEMBERED - 1)];
    return known >>> COUNT_BITS == threadId && (known & COUNT) <= firstArenas;
  }
}
