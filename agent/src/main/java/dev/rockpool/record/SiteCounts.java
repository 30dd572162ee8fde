package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Counts the confined arenas of one call site, opened and closed by one platform thread or by the
 * virtual threads on it; or a sum of such counts. Only code on that thread writes here, plainly.
 *
 * <p>The histogram has closed arenas by the bytes that they asked for: an element for each number
 * below 64, and two for each power of two from there on, the number of arenas and the sum of their
 * bytes. So it also tells how many were closed, and with how many bytes. It grows, as most sites
 * have few sizes.
 */
final class SiteCounts {
  private static final int EXACT = 64;
  private static final int EXACT_LOG = 6;
  private static final int FIRST_LENGTH = 16;

  private static final Thread NEVER_ADDED = Thread.ofPlatform().unstarted(() -> {});

  /** The thread that counts here; null for a sum. */
  private final @Nullable Thread thread;

  final long threadId;

  /** See {@link Recorder#index}. */
  final int index;

  long opened;

  /** Bytes allocated, those in open arenas included. */
  long bytes;

  /** Allocations in closed arenas. */
  long allocations;

  /** Closed arenas without an allocation. */
  long empty;

  /** Most bytes in a closed arena of at least {@value #EXACT} bytes. */
  private long largestPower;

  /** Arenas that their threads, which have ended, did not close. Known in sums only. */
  long unclosedByEnded;

  private long[] histogram = new long[FIRST_LENGTH];

  SiteCounts(Thread thread, int index) {
    this.thread = thread;
    threadId = thread.threadId();
    this.index = index;
  }

  SiteCounts(int index) {
    thread = null;
    threadId = 0;
    this.index = index;
  }

  /**
   * Whether the thread has ended before the program. If so, all its writes are visible to the
   * caller. The main thread often ends the program, and has not leaked what it leaves to the end.
   */
  boolean isOfEndedThread() {
    return thread != null
        && !thread.isAlive()
        && !(thread.getName().equals("main") && isShutdown());
  }

  private static boolean isShutdown() {
    try {
      Runtime.getRuntime().removeShutdownHook(NEVER_ADDED);
      return false;
    } catch (IllegalStateException inProgress) {
      return true;
    }
  }

  @ForceInline
  void addClosed(long byteSize, long allocationsOfArena) {
    allocations += allocationsOfArena;
    if (allocationsOfArena == 0) {
      empty++;
    }
    addToHistogram(byteSize);
  }

  /** Uses nothing after the call on the rare path, see {@link RecordedArena}. */
  @ForceInline
  private void addToHistogram(long byteSize) {
    long[] known = histogram;
    if (byteSize < EXACT) {
      if (byteSize < known.length) {
        known[(int) byteSize]++;
        return;
      }
    } else {
      int place = placeOfPower(byteSize);
      if (place + 1 < known.length) {
        known[place]++;
        known[place + 1] += byteSize;
        if (byteSize > largestPower) {
          largestPower = byteSize;
        }
        return;
      }
    }
    addBeyond(byteSize);
  }

  private void addBeyond(long byteSize) {
    lengthen(byteSize < EXACT ? (int) byteSize + 1 : placeOfPower(byteSize) + 2);
    addToHistogram(byteSize);
  }

  @ForceInline
  private static int placeOfPower(long byteSize) {
    return EXACT + 2 * (Long.SIZE - 1 - Long.numberOfLeadingZeros(byteSize) - EXACT_LOG);
  }

  private void lengthen(int length) {
    long[] longer = Arrays.copyOf(histogram, 2 * Integer.highestOneBit(length - 1));
    VarHandle.releaseFence(); // readers on other threads see no element before its value
    histogram = longer;
  }

  /** Adds what counts before an arena is closed. A reader does so for all threads first. */
  void addOpened(SiteCounts other) {
    opened += other.opened;
    bytes += other.bytes;
  }

  /** Adds what counts when an arena is closed, or takes it away by a sign of -1. */
  void addClosed(SiteCounts other, int sign) {
    allocations += sign * other.allocations;
    empty += sign * other.empty;
    unclosedByEnded += sign * other.unclosedByEnded;
    largestPower = Math.max(largestPower, other.largestPower);
    long[] added = other.histogram;
    if (added.length > histogram.length) {
      lengthen(added.length);
    }
    for (int i = 0; i < added.length; i++) {
      histogram[i] += sign * added[i];
    }
  }

  /** Returns what was counted at the close of arenas after {@code before}, an earlier sum. */
  SiteCounts closedSince(SiteCounts before) {
    SiteCounts since = new SiteCounts(index);
    since.addClosed(this, 1);
    since.addClosed(before, -1);
    return since;
  }

  private static boolean isSumOfBytes(int place) {
    return place >= EXACT && (place & 1) != 0;
  }

  long closed() {
    long sum = 0;
    for (int i = 0; i < histogram.length; i++) {
      sum += isSumOfBytes(i) ? 0 : histogram[i];
    }
    return sum;
  }

  long closedBytes() {
    long sum = 0;
    for (int i = 0; i < histogram.length; i++) {
      sum += i < EXACT ? i * histogram[i] : isSumOfBytes(i) ? histogram[i] : 0;
    }
    return sum;
  }

  long largest() {
    int exact = Math.min(histogram.length, EXACT) - 1;
    while (exact > 0 && histogram[exact] == 0) {
      exact--;
    }
    return Math.max(largestPower, exact);
  }

  /** Returns the number of open arenas, which in a sum may be too small, but not too large. */
  long live() {
    return Math.max(0, opened - closed());
  }

  long liveBytes() {
    return live() == 0 ? 0 : Math.max(0, bytes - closedBytes());
  }

  /** Returns closed arenas as text: {@code lower=arenas lower=arenas ...}, without zeros. */
  String totals() {
    return text(false);
  }

  /** Returns bytes of closed arenas as text: {@code lower=bytes lower=bytes ...}. */
  String totalBytes() {
    return text(true);
  }

  private String text(boolean areBytes) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < histogram.length; i++) {
      long lower = i < EXACT ? i : 1L << (EXACT_LOG + (i - EXACT) / 2);
      long count = i < EXACT && areBytes ? i * histogram[i] : histogram[i];
      if (count != 0 && (i < EXACT || isSumOfBytes(i) == areBytes)) {
        text.add(lower + "=" + count);
      }
    }
    return text.toString();
  }
}
