package dev.rockpool.record;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of one call site: the open ones in a list, and counts of all. Of confined arenas
 * only some have a holding, see {@link Holdings}.
 *
 * <p>Everything is guarded by this. The methods that count allocate nothing and call nothing
 * between their first write and their last, so neither heap nor stack runs out half-way.
 */
final class Site {
  /** The holdings that were opened with the same stack. */
  static final class Stack {
    final String text;
    long opened;
    long live;
    long liveBytes;
    long leaked;

    Stack(String text) {
      this.text = text;
    }

    Stack(Stack other) {
      text = other.text;
      opened = other.opened;
      live = other.live;
      liveBytes = other.liveBytes;
      leaked = other.leaked;
    }
  }

  /** Figures of a site since the start of the JVM. Each is a sum, unless it says otherwise. */
  static final class Counts implements Cloneable {
    long opened;
    long closed;
    long allocations;
    long bytes;

    /** Open now, leaked ones included. */
    long live;

    long liveBytes;
    long mostLive;
    long mostLiveBytes;
    long leaked;
    long leakedBytes;

    /** Most bytes in one holding. */
    long largest;

    /** Opened on virtual threads. */
    long onVirtual;

    /** Allocated in, or closed, by another thread than the one that opened. */
    long byOthers;

    long closeNanos;
    long longestCloseNanos;

    /** Holdings whose time from opening to the end is known, and the sum of these times. */
    long ended;

    long lifeNanos;
    long longestLifeNanos;

    /** Seconds in which live bytes grew, since they last fell. */
    long growing;

    Counts copy() {
      try {
        return (Counts) clone();
      } catch (CloneNotSupportedException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  /** Most different stacks of a site; a holding with a further stack is counted without. */
  private static final int MOST_STACKS = 8;

  /** The first holdings of a site all have a stack; then time must pass, as a stack takes long. */
  private static final int FIRST_STACKS = 8;

  private static final long STACK_PAUSE_NANOS = 200_000_000;

  final String name;
  final int kind;
  private final Counts counts = new Counts();
  private final @Nullable Stack[] stacks = new Stack[MOST_STACKS];
  private @Nullable Holding first;
  private @Nullable Holding global;
  private final long sinceNanos = System.nanoTime();
  private int stackTurns;
  private long lastStackNanos;
  private long lastLiveBytes;

  Site(String name, int kind) {
    this.name = name;
    this.kind = kind;
  }

  synchronized Holding global(Arena arena) {
    Holding known = global;
    if (known == null) {
      known = Holding.ofCollected(arena.scope(), this);
      global = known;
    }
    return known;
  }

  synchronized boolean wantsStack() {
    long now = System.nanoTime();
    if (stackTurns >= FIRST_STACKS && now - lastStackNanos < STACK_PAUSE_NANOS) {
      return false;
    }
    stackTurns = Math.min(stackTurns + 1, FIRST_STACKS);
    lastStackNanos = now;
    return true;
  }

  /** Returns the known stack of the same text, or {@code made} for a new one; null if too many. */
  synchronized @Nullable Stack stack(Stack made) {
    for (int i = 0; i < stacks.length; i++) {
      Stack known = stacks[i];
      if (known == null) {
        stacks[i] = made;
        return made;
      }
      if (known.text.equals(made.text)) {
        return known;
      }
    }
    return null;
  }

  synchronized void opened(Holding holding, boolean isVirtual) {
    Holding behind = first;
    holding.next = behind;
    if (behind != null) {
      behind.before = holding;
    }
    first = holding;
    holding.isOpen = true;
    counts.opened++;
    counts.live++;
    counts.onVirtual += isVirtual ? 1 : 0;
    if (counts.live > counts.mostLive) {
      counts.mostLive = counts.live;
    }
    Stack stack = holding.stack;
    if (stack != null) {
      stack.opened++;
      stack.live++;
    }
  }

  /** Counts an allocation; that of a confined arena is noted in its holding only. */
  synchronized void allocated(Holding holding, long byteSize, long threadId) {
    if (!holding.isOpen) {
      return;
    }
    if (threadId != holding.opener && !holding.byOthers) {
      holding.byOthers = true;
      counts.byOthers++;
    }
    holding.bytes += byteSize;
    counts.allocations++;
    counts.bytes += byteSize;
    counts.liveBytes += byteSize;
    if (counts.liveBytes > counts.mostLiveBytes) {
      counts.mostLiveBytes = counts.liveBytes;
    }
    if (holding.bytes > counts.largest) {
      counts.largest = holding.bytes;
    }
    Stack stack = holding.stack;
    if (stack != null) {
      stack.liveBytes += byteSize;
    }
  }

  /**
   * Ends a holding; does nothing if it has ended.
   *
   * @param leaks whether the memory stays allocated
   * @param threadId the closing thread's; the opener's if no thread closed
   */
  synchronized void ended(
      Holding holding, boolean leaks, long threadId, long now, long closeNanos) {
    if (!holding.isOpen) {
      return;
    }
    holding.isOpen = false;
    Holding before = holding.before;
    Holding behind = holding.next;
    holding.before = null;
    holding.next = null;
    if (before == null) {
      first = behind;
    } else {
      before.next = behind;
    }
    if (behind != null) {
      behind.before = before;
    }
    if (threadId != holding.opener && !holding.byOthers) {
      counts.byOthers++;
    }
    long bytes = holding.bytes;
    Stack stack = holding.stack;
    if (kind == SiteKind.CONFINED) {
      counts.allocations += leaks ? holding.allocations() : 0;
      counts.bytes += bytes;
      counts.liveBytes += bytes;
      if (bytes > counts.largest) {
        counts.largest = bytes;
      }
      if (stack != null) {
        stack.liveBytes += bytes;
      }
    }
    if (leaks && (kind != SiteKind.CONFINED || bytes > 0)) {
      counts.leaked++;
      counts.leakedBytes += bytes;
      if (stack != null) {
        stack.leaked++;
      }
      return;
    }
    counts.closed++;
    counts.live--;
    counts.liveBytes -= bytes;
    counts.closeNanos += closeNanos;
    if (closeNanos > counts.longestCloseNanos) {
      counts.longestCloseNanos = closeNanos;
    }
    long life = now - holding.openedNanos;
    counts.ended++;
    counts.lifeNanos += life;
    if (life > counts.longestLifeNanos) {
      counts.longestLifeNanos = life;
    }
    if (stack != null) {
      stack.live--;
      stack.liveBytes -= bytes;
    }
  }

  /** Notes the live bytes, a second or so after the last time. */
  synchronized void look(Recorder.BySite confined, int number) {
    Counts now = counts(confined, number);
    long bytes = now.liveBytes;
    counts.mostLive = now.mostLive;
    counts.mostLiveBytes = now.mostLiveBytes;
    if (bytes > lastLiveBytes) {
      counts.growing++;
    } else if (bytes < lastLiveBytes) {
      counts.growing = 0;
    }
    lastLiveBytes = bytes;
  }

  /**
   * Returns the figures now. Of confined arenas the tallies have most; bytes and allocations of
   * live ones without a holding are estimated by the mean.
   */
  synchronized Counts counts(Recorder.BySite confined, int number) {
    Counts now = counts.copy();
    if (kind == SiteKind.CONFINED) {
      long known = now.live;
      for (Holding each = first; each != null; each = each.next) {
        now.allocations += each.allocations();
        now.bytes += each.bytes;
        now.liveBytes += each.bytes;
        now.largest = Math.max(now.largest, each.bytes);
      }
      double meanBytes = mean(now.bytes, now.opened);
      double meanAllocations = mean(now.allocations, now.opened);
      now.closed = confined.closed[number];
      now.live = Math.max(now.live, confined.live(number));
      now.opened = now.closed + now.live;
      if (now.closed > 0) {
        meanBytes = mean(confined.bytes[number], now.closed);
        meanAllocations = mean(confined.allocations[number], now.closed);
      }
      long others = now.live - known;
      now.liveBytes += Math.round(others * Math.min(meanBytes, Holdings.LARGE));
      now.allocations += confined.allocations[number] + Math.round(others * meanAllocations);
      now.bytes = confined.bytes[number] + now.liveBytes;
      now.onVirtual = confined.onVirtual[number];
      now.mostLive = Math.max(now.mostLive, now.live);
      now.mostLiveBytes = Math.max(now.mostLiveBytes, now.liveBytes);
      now.largest = Math.max(now.largest, confined.largest[number]);
    }
    return now;
  }

  private static double mean(long sum, long count) {
    return count == 0 ? 0 : (double) sum / count;
  }

  long ageNanos() {
    return System.nanoTime() - sinceNanos;
  }

  /** Returns how long the oldest open holding is open; 0 if there is none. */
  synchronized long oldestNanos() {
    long oldest = Long.MAX_VALUE;
    for (Holding each = first; each != null; each = each.next) {
      oldest = Math.min(oldest, each.openedNanos);
    }
    return oldest == Long.MAX_VALUE ? 0 : System.nanoTime() - oldest;
  }

  /** Returns a copy of the stack at a place; null if there is none. */
  synchronized @Nullable Stack stack(int place) {
    Stack stack = place < stacks.length ? stacks[place] : null;
    if (stack == null) {
      return null;
    }
    Stack copy = new Stack(stack);
    for (Holding each = kind == SiteKind.CONFINED ? first : null; each != null; each = each.next) {
      copy.liveBytes += stack.equals(each.stack) ? each.bytes : 0;
    }
    return copy;
  }
}
