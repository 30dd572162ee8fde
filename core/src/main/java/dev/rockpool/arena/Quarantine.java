package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import java.util.ArrayDeque;
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
 * <p>Safe for use by any thread. A block is in {@code kept} or in the hands of one thread.
 */
final class Quarantine {
  /** Keeps blocks for a while of a program's run, but little compared to a JVM's memory. */
  static final Quarantine SHARED = new Quarantine(64L << 20, 1 << 16);

  /** Limits reports of each kind, because a fault in a loop would bury earlier reports. */
  private static final int MOST_REPORTS = 100;

  private final long mostBytes;
  private final int mostBlocks;
  private final AtomicLong overruns = new AtomicLong();
  private final AtomicLong lateWrites = new AtomicLong();

  /** The oldest block first. Guarded by the monitor of this object, as is {@code bytes}. */
  private final ArrayDeque<GuardedBlock> kept = new ArrayDeque<>();

  private long bytes;

  Quarantine(long mostBytes, int mostBlocks) {
    this.mostBytes = mostBytes;
    this.mostBlocks = mostBlocks;
  }

  /** Takes a block of a closed arena; returns the description of an overrun, or null. */
  @Nullable String take(GuardedBlock block) {
    String overrun = block.findOverrun();
    report(overrun, overruns);
    if (block.memory().byteSize() > mostBytes) {
      block.free();
      return overrun;
    }
    block.poison();
    synchronized (this) {
      kept.add(block);
      bytes += block.memory().byteSize();
    }
    for (GuardedBlock left = remove(true); left != null; left = remove(true)) {
      report(left.findLateWrite(), lateWrites);
      left.free();
    }
    return overrun;
  }

  private synchronized @Nullable GuardedBlock remove(boolean onlyIfOverLimit) {
    boolean isOverLimit = bytes > mostBytes || kept.size() > mostBlocks;
    GuardedBlock oldest = isOverLimit || !onlyIfOverLimit ? kept.poll() : null;
    bytes -= oldest == null ? 0 : oldest.memory().byteSize();
    return oldest;
  }

  /** Counts and prints a finding, if there is one. The current thread may have no part in it. */
  private static void report(@Nullable String finding, AtomicLong count) {
    if (finding == null) {
      return;
    }
    long nth = count.incrementAndGet();
    if (nth <= MOST_REPORTS) {
      Notices.print(finding);
    } else if (nth == MOST_REPORTS + 1) {
      Notices.print("More of these are counted, and not printed any more: " + finding);
    }
  }

  /** Has all kept blocks verified before the JVM ends, unless our class loader may be unloaded. */
  void verifyAtExit() {
    if (!Callbacks.arePlain()) {
      return; // the hook would keep our class loader, and an undeployed application, reachable
    }
    Thread last = Daemon.builder("rockpool-quarantine").unstarted(this::verifyAll);
    try {
      Runtime.getRuntime().addShutdownHook(last);
    } catch (IllegalStateException ignored) {
      return; // the JVM is ending already
    }
  }

  /** Verifies all kept blocks; frees none, because late writes may still come. */
  void verifyAll() {
    for (GuardedBlock left = remove(false); left != null; left = remove(false)) {
      report(left.findLateWrite(), lateWrites);
    }
  }

  long overruns() {
    return overruns.get();
  }

  long lateWrites() {
    return lateWrites.get();
  }

  synchronized int blocks() {
    return kept.size();
  }
}
