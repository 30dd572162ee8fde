package dev.rockpool.arena;

/**
 * Says where a pool can't win, so that the JDK serves: on threads that end after a few arenas.
 *
 * <p>Updates are plain, and some are lost where threads meet. That costs a look for a slab more, or
 * one less.
 */
final class Admission {
  /** Threads remembered; each has the element of its id, modulo this, until another takes it. */
  private static final int REMEMBERED = 1024;

  /** Bits of an element for the count of arenas; those above are the thread's id. */
  private static final int COUNT_BITS = 16;

  private static final long COUNT = (1 << COUNT_BITS) - 1;

  private final int firstArenas;
  private final long[] young;

  /**
   * @param firstArenas how many arenas of a platform thread come before it gets slabs: a row of
   *     slabs takes as much time to make as some twenty arenas of the JDK
   */
  Admission(int firstArenas) {
    this.firstArenas = (int) Math.min(firstArenas, COUNT);
    young = new long[firstArenas == 0 ? 0 : REMEMBERED];
  }

  /**
   * Counts an arena of the platform thread with that id, and says whether it is among the first.
   * One that allocates several times counts as several.
   */
  boolean isAmongFirst(long threadId) {
    if (firstArenas == 0) {
      return false;
    }
    int at = (int) threadId & (REMEMBERED - 1);
    long known = young[at];
    long count = known >>> COUNT_BITS == threadId ? known & COUNT : 0;
    if (count == firstArenas) {
      return false;
    }
    young[at] = threadId << COUNT_BITS | (count + 1);
    return true;
  }
}
