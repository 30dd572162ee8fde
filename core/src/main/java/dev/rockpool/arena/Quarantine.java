package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.Notices;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the memory of closed arenas for a while, filled with poison, to find late writes of native
 * code. Counts and reports overruns and late writes.
 *
 * <pre>
 *                 take: guards verified, all poisoned               too many, or too much:
 *   of an arena  -------------------------------------&gt;  kept  ----------------------------&gt;  freed
 *                                                   FIFO   |      poison verified
 *                                                          '--- the JVM ends: poison verified
 * </pre>
 *
 * <p>Safe for use by any thread. Any call may throw a StackOverflowError, so there is no call
 * between two writes to the list. A failure elsewhere leaks a block, which is then not verified.
 */
final class Quarantine {
  /** Keeps blocks for a while of a program's run, but little compared to a JVM's memory. */
  static final Quarantine SHARED = new Quarantine(64L << 20, 1 << 16);

  /** Limits reports of each kind, because a fault in a loop would bury earlier reports. */
  private static final int MOST_REPORTS = 100;

  private static final String NOT_DESCRIBED =
      "Memory of an arena is written to within its segments only, and while it is open: it was"
          + " not, and there is no heap or stack left to say more.";

  private final long mostBytes;
  private final int mostBlocks;

  private final AtomicLong overruns = new AtomicLong();
  private final AtomicLong lateWrites = new AtomicLong();

  /** Guarded by the monitor of this object, as is everything below. */
  private @Nullable GuardedBlock oldest;

  private @Nullable GuardedBlock youngest;
  private long bytes;
  private int blocks;

  Quarantine(long mostBytes, int mostBlocks) {
    this.mostBytes = mostBytes;
    this.mostBlocks = mostBlocks;
  }

  /** Takes a block of a closed arena; returns the description of an overrun, or null. */
  @Nullable String take(GuardedBlock block) {
    long overrun = block.overrun();
    String found = overrun == GuardedBlock.INTACT ? null : report(block, overrun, false);
    if (block.total() > mostBytes) {
      block.free();
      return found;
    }
    block.poison();
    add(block);
    for (GuardedBlock left = excess(); left != null; left = excess()) {
      verify(left);
      left.free();
    }
    return found;
  }

  private synchronized void add(GuardedBlock block) {
    block.next = null;
    bytes += block.total();
    blocks++;
    if (youngest == null) {
      oldest = block;
    } else {
      youngest.next = block;
    }
    youngest = block;
  }

  private synchronized @Nullable GuardedBlock excess() {
    return bytes > mostBytes || blocks > mostBlocks ? remove() : null;
  }

  private synchronized @Nullable GuardedBlock remove() {
    GuardedBlock removed = oldest;
    if (removed != null) {
      long total = removed.total();
      oldest = removed.next;
      if (oldest == null) {
        youngest = null;
      }
      bytes -= total;
      blocks--;
    }
    return removed;
  }

  private void verify(GuardedBlock block) {
    long written = block.lateWrite();
    if (written != GuardedBlock.INTACT) {
      report(block, written, true);
    }
  }

  /** Has all kept blocks verified before the JVM ends, unless our class loader may be unloaded. */
  void verifyAtExit() {
    if (!Callbacks.arePlain()) {
      return; // the hook would keep our class loader, and an undeployed application, reachable
    }
    Thread last =
        Thread.ofPlatform()
            .name("rockpool-quarantine")
            .inheritInheritableThreadLocals(false)
            .unstarted(new AtExit());
    last.setContextClassLoader(null); // an inherited one would stay reachable
    try {
      Runtime.getRuntime().addShutdownHook(last);
    } catch (IllegalStateException tooLate) {
      return; // the JVM is ending already
    }
  }

  /** A class and not a lambda, because the agent loads it while the program starts. */
  private final class AtExit implements Runnable {
    @Override
    public void run() {
      verifyAll();
    }
  }

  /** Verifies all kept blocks; frees none, because the JVM is about to end. */
  void verifyAll() {
    for (GuardedBlock left = remove(); left != null; left = remove()) {
      verify(left);
    }
  }

  /**
   * Counts and prints a finding; returns its description. The current thread may be unrelated to
   * the fault, so this throws nothing, neither for lack of heap or stack, nor from {@code
   * System.err}.
   */
  private String report(GuardedBlock block, long offset, boolean late) {
    long nth = (late ? lateWrites : overruns).incrementAndGet();
    String text = NOT_DESCRIBED;
    try {
      text = late ? block.describeLateWrite(offset) : block.describeOverrun(offset);
      if (nth <= MOST_REPORTS) {
        Notices.print(text);
      } else if (nth == MOST_REPORTS + 1) {
        Notices.print("More of these are counted, and not printed any more: " + text);
      }
    } catch (Throwable unsaid) {
      return text;
    }
    return text;
  }

  long overruns() {
    return overruns.get();
  }

  long lateWrites() {
    return lateWrites.get();
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized int blocks() {
    return blocks;
  }
}
