package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;

/**
 * Counts the open arenas of virtual threads, without memory for each thread. All threads share a
 * few thousand places; a thread that opens an arena takes over its place from another thread. So if
 * two threads of one place have arenas open at once, one thread's depth comes out too small, but
 * never too large. If few virtual threads have arenas open at once, a depth is nearly always right.
 *
 * <p>Places are read and written plainly. A place holds a thread's id, and counts only for that
 * thread. So a race may lose a count but never credits a count to another thread.
 *
 * <p>A record, because C2 trusts the final fields of records.
 *
 * @param places each the id of one of its threads, and the number of that thread's open arenas
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record OpenOnVirtual(long[] places) {
  private static final int PLACES_LOG = 12;
  private static final int COUNT_BITS = 8;
  private static final int MOST = (1 << COUNT_BITS) - 1;

  /** Makes places without open arenas. */
  static OpenOnVirtual create() {
    return new OpenOnVirtual(new long[1 << PLACES_LOG]);
  }

  /**
   * Notes that a virtual thread opens an arena.
   *
   * @return how many arenas the thread had open before
   */
  @ForceInline
  int opened(long threadId) {
    int place = place(threadId);
    long none = threadId << COUNT_BITS;
    // A branch, so that the new value does not depend on the store of the last close.
    if (places[place] == none) {
      places[place] = none + 1;
      return 0;
    }
    return openedBesideOthers(place, threadId);
  }

  private int openedBesideOthers(int place, long threadId) {
    int before = known(places[place], threadId);
    places[place] = (threadId << COUNT_BITS) | Math.min(before + 1, MOST);
    return before;
  }

  /** Notes that a virtual thread has closed an arena. */
  @ForceInline
  void closed(long threadId) {
    int place = place(threadId);
    long none = threadId << COUNT_BITS;
    if (places[place] == none + 1) {
      places[place] = none;
    } else {
      closedBesideOthers(place, threadId);
    }
  }

  private void closedBesideOthers(int place, long threadId) {
    int before = known(places[place], threadId);
    if (before > 0) {
      places[place] = (threadId << COUNT_BITS) | (before - 1);
    }
  }

  private static int known(long place, long threadId) {
    return place >>> COUNT_BITS == threadId ? (int) place & MOST : 0;
  }

  /** Spreads consecutive ids, so that their places are not on one cache line. */
  @ForceInline
  private static int place(long threadId) {
    return (int) ((threadId * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - PLACES_LOG));
  }
}
