package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;

/**
 * How many arenas a virtual thread has open, as far as is known without memory for each: the
 * threads share a few thousand places, and one that opens an arena takes over its place from
 * whoever had it. So where two of a place have arenas open at the same time, the depth of one comes
 * out too small; never too large. With few virtual threads between opening and closing an arena at
 * once, it is nearly always right.
 *
 * <p>A place is read and written plainly. It holds a thread's id, and counts only for that thread:
 * whatever a race loses, it is never taken for another's.
 *
 * <p>A record, because C2 trusts the final fields of records.
 *
 * @param places one for many threads: the id of one of them, and how many it has open
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record OpenOnVirtual(long[] places) {
  private static final int PLACES_LOG = 12;
  private static final int COUNT_BITS = 8;
  private static final int MOST = (1 << COUNT_BITS) - 1;

  /** Where no thread has any open. */
  static OpenOnVirtual create() {
    return new OpenOnVirtual(new long[1 << PLACES_LOG]);
  }

  /**
   * Notes that a virtual thread opens an arena.
   *
   * @return how many it had open before
   */
  @ForceInline
  int opened(long threadId) {
    int place = place(threadId);
    long none = threadId << COUNT_BITS;
    // A branch, so that this does not wait for what was stored when the last arena was closed.
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

  /** Notes that it has closed one. */
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

  /** Threads that come one after another are far apart, not on one cache line. */
  @ForceInline
  private static int place(long threadId) {
    return (int) ((threadId * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - PLACES_LOG));
  }
}
