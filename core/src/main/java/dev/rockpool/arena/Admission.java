package dev.rockpool.arena;

/**
 * Says where a pool can't win, so that the JDK serves: on threads that end after a few arenas.
 *
 * <p>Updates are plain, and some are lost where threads meet: a thread may then come to its slabs a
 * few arenas later.
 */
final class Admission {
  /** Threads remembered; each has the element of its id, modulo this, until another takes it. */
  private static final int REMEMBERED = 1024;

  /** Bits of an element for the count of arenas; those above are the thread's id. */
  private static final int COUNT_BITS = 16;

  private static final long COUNT = (1 << COUNT_BITS) - 1;

  /** One takeover of an element in so many is let through, so threads that share one get on. */
  private static final int TAKEOVERS = 64;

  private final int firstArenas;
  private final long[] young;
  private int takeovers;

  /**
   * @param firstArenas how many arenas of a platform thread come before it gets slabs: a row of
   *     slabs takes as much time to make as some twenty arenas of the JDK
   */
  Admission(int firstArenas) {
    this.firstArenas = firstArenas;
    young = new long[firstArenas == 0 ? 0 : REMEMBERED];
  }

  /**
   * Counts an arena of a platform thread that has no slabs yet, and says whether it is among the
   * first. One that allocates several times counts as several.
   */
  boolean isAmongFirst(long threadId) {
    if (firstArenas == 0) {
      return false;
    }
    int at = (int) threadId & (REMEMBERED - 1);
    long known = young[at];
    if (known >>> COUNT_BITS != threadId) {
      return takesOver(at, threadId, known != 0);
    }
    if ((known & COUNT) == firstArenas) {
      return false;
    }
    young[at] = known + 1;
    return true;
  }

  /** Else two threads that take turns would begin anew each time, for ever. */
  private boolean takesOver(int at, long threadId, boolean fromAnother) {
    young[at] = threadId << COUNT_BITS | 1;
    return !fromAnother || ++takeovers % TAKEOVERS != 0;
  }
}
