package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;

/**
 * Counts the arenas of one site for one platform thread, and for the virtual threads that it
 * carries. Only that thread writes here, plainly.
 *
 * <p>Most arenas of a site have one shape on one thread, so counting is one comparison and one
 * addition.
 */
final class ThreadSite {
  /** The tally of no arena. */
  private static final Tally NONE = new Tally(-1);

  final ThreadTallies thread;

  /** Arenas opened; modulo 2^32, since only differences count. */
  int opened;

  /** Opened arenas that count at another site, less those of other sites that count here. */
  int moved;

  /** The tally of the last shape counted here. */
  private Tally last = NONE;

  ThreadSite(ThreadTallies thread) {
    this.thread = thread;
  }

  /** Counts a closed arena; returns false if there are too many shapes, or no memory for a new. */
  @ForceInline
  boolean count(long shape, long allocations, long bytes) {
    Tally known = last;
    if (known.shape() != shape) {
      return countElsewhere(shape, allocations, bytes);
    }
    known.add(allocations, bytes);
    return true;
  }

  private boolean countElsewhere(long shape, long allocations, long bytes) {
    Tally tally = thread.tally(Shape.reduced(shape), this);
    if (tally == null) {
      return false;
    }
    last = tally;
    tally.add(allocations, bytes);
    return true;
  }
}
