package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.Notices;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the memory of closed arenas aside for a while, filled with poison, to find what native code
 * writes to it; and counts and reports what was found.
 *
 * <pre>
 *                 take: guards verified, all poisoned               too many, or too much:
 *   of an arena  -------------------------------------&gt;  kept  ----------------------------&gt;  freed
 *                                                   FIFO   |      poison verified
 *                                                          '--- the JVM ends: poison verified
 * </pre>
 *
 * <p>Safe for use by any thread. The stack may end in any call: so there is none between two writes
 * to the list, and what fails elsewhere costs memory and is not verified.
 */
final class Quarantine {
  /** So many bytes that a program runs for a while; a small part of what a JVM has. */
  static final Quarantine SHARED = new Quarantine(64L << 20, 1 << 16);

  /** One fault in a loop would bury what was said before. */
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

  /**
   * Takes a block of an arena that is closed.
   *
   * @return what native code wrote beside its segment, in words; null if nothing
   */
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

  /** Has all that is kept then verified before the JVM ends, where our class loader stays. */
  void verifyAtExit() {
    if (!Callbacks.arePlain()) {
      return; // the JVM would hold our class loader, and with it an application that is gone
    }
    Thread last =
        Thread.ofPlatform()
            .name("rockpool-quarantine")
            .inheritInheritableThreadLocals(false)
            .unstarted(new AtExit());
    last.setContextClassLoader(null); // it may be that of a program that is long gone
    try {
      Runtime.getRuntime().addShutdownHook(last);
    } catch (IllegalStateException tooLate) {
      return; // this is the end already
    }
  }

  /** A plain class and no lambda: under the agent this is loaded while the program starts. */
  private final class AtExit implements Runnable {
    @Override
    public void run() {
      verifyAll();
    }
  }

  /** Verifies all that is kept. It is not freed: the JVM is about to end. */
  void verifyAll() {
    for (GuardedBlock left = remove(); left != null; left = remove()) {
      verify(left);
    }
  }

  /**
   * Counts and prints it. The thread may belong to somebody else than the fault: so nothing is
   * thrown, be it for lack of heap or stack or by the program's own {@code System.err}.
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

  /** Segments that were found to be written beside, when their arena was closed. */
  long overruns() {
    return overruns.get();
  }

  /** Segments that were found to be written to after their arena was closed. */
  long lateWrites() {
    return lateWrites.get();
  }

  /** How much is kept. */
  synchronized long bytes() {
    return bytes;
  }

  /** How many blocks are kept. */
  synchronized int blocks() {
    return blocks;
  }
}
