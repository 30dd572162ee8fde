package dev.rockpool.arena;

/**
 * Denies slabs to the first arenas of a platform thread, because slabs do not pay off on a thread
 * that ends after a few arenas.
 *
 * <p>Updates are plain, so races lose some. A lost update only delays a thread's first slabs.
 */
final class Admission {
  /** Number of elements; a thread has the element of its id modulo this, until another takes it. */
  private static final int REMEMBERED = 1024;

  /** Lower bits of an element for the count of arenas; the upper bits are the thread's id. */
  private static final int COUNT_BITS = 16;

  private static final long COUNT = (1 << COUNT_BITS) - 1;

  private final int firstArenas;
  private final long[] young;

  /**
   * @param firstArenas number of arenas of a platform thread before the thread gets slabs: a
   *     thread's slabs take as much time to make as some twenty arenas of the JDK
   */
  Admission(int firstArenas) {
    this.firstArenas = firstArenas;
    young = new long[firstArenas == 0 ? 0 : REMEMBERED];
  }

  /**
   * Counts an arena of a platform thread that has no slabs yet; returns whether the arena is among
   * the first. An arena that allocates several times counts several times.
   */
  boolean isAmongFirst(long threadId) {
    if (firstArenas == 0) {
      return false;
    }
    int at = (int) threadId & (REMEMBERED - 1);
    long known = young[at];
    long knownId = known >>> COUNT_BITS;
    if (threadId < knownId) {
      return false; // Comes back although a younger thread took its element: it lives on.
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
