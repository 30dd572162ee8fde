package dev.rockpool.direct;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Refund;
import dev.rockpool.internal.Usability;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bounds native memory: {@code 0 <= in use <= limit} at any instant, unless the budget only warns.
 * Bytes are charged before memory is allocated, and refunded after it was freed.
 *
 * <p>A charge that does not fit waits with the {@link Waiters}. Nothing is called between the
 * instant at which a charge takes effect and its return, so an error where the stack ends can't
 * lose charged bytes in here.
 */
final class Budget implements Account {
  static {
    Housekeeper.add(new Refund.OfTheLost());
  }

  private static final long WARNING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** How long a request that does not fit waits by default; the JDK's requests wait as long. */
  static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Of a budget that nobody uses, see {@link #rehearse}. */
  private static final String NO_REMEDY = "";

  private volatile long limit;
  private final String remedy;
  private final boolean isOfAgent;
  private final boolean warns;
  private final Waiters waiters;
  private final AtomicLong inUse = new AtomicLong();
  private final AtomicLong highest = new AtomicLong();

  /** Requests that were refused, or of which the budget has warned, or could have. */
  private final AtomicLong refused = new AtomicLong();

  /** When to warn next. */
  private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

  /** Whether nothing is refused, because the agent that brought the limit has left. */
  private volatile boolean isLifted;

  /** The most bytes in use by what the whole process has left, which changes all the time. */
  private volatile long ceiling = Long.MAX_VALUE;

  /** Says what the process has, for messages. */
  private volatile Supplier<String> process = () -> "";

  /** Runs after each request beyond the limit. */
  private volatile Runnable onRefusal = () -> {};

  /** Bytes that only a collection can free. */
  private volatile LongSupplier collectible = () -> 0;

  /** Names those that hold most, for messages. */
  private volatile Supplier<String> holders = () -> "";

  /** {@code remedy} tells how to raise the limit, which is in bytes and at least 1. */
  Budget(long limit, String remedy) {
    this(limit, remedy, false, false, WAIT_NANOS);
  }

  /** Makes the budget of the agent's option {@code limit}, for native memory of all kinds. */
  static Budget ofAgent(long limit, boolean warns, long waitNanos) {
    return new Budget(limit, "agent option limit", true, warns, waitNanos);
  }

  private Budget(long limit, String remedy, boolean isOfAgent, boolean warns, long waitNanos) {
    this.limit = limit;
    this.remedy = remedy;
    this.isOfAgent = isOfAgent;
    this.warns = warns;
    this.waiters = new Waiters(this, waitNanos);
  }

  /**
   * Waits once and is refused, so that all classes of that are initialized: one that meets the end
   * of a stack meanwhile stays broken until the JVM ends.
   */
  static void rehearse() {
    Budget tried = new Budget(1, NO_REMEDY, false, false, 1);
    tried.charge(1);
    try {
      tried.charge(1);
    } catch (OutOfMemoryError expected) {
      tried.refund(1);
    }
    Collector.prepare();
  }

  /** Whether waits are of interest to the flight recorder. */
  boolean isRecorded() {
    return !remedy.equals(NO_REMEDY);
  }

  /** Says what only a collection frees, and who holds most. */
  void setHolders(LongSupplier ofTheCollector, Supplier<String> largest) {
    collectible = ofTheCollector;
    holders = largest;
  }

  /** Lifts the limit, or puts it back in force. Bytes are counted on. */
  void lift(boolean lifted) {
    isLifted = lifted;
    waiters.serve(); // all if it is lifted
  }

  long limit() {
    return limit;
  }

  /** Sets another limit. Bytes in use stay in use, even if they are more. */
  void changeLimit(long byteSize) {
    limit = byteSize;
    waiters.serve();
  }

  /** Bounds the bytes in use by what the process has left as well; may be negative. */
  void setCeiling(long byteSize) {
    boolean isHigher = byteSize > ceiling;
    ceiling = byteSize;
    if (isHigher) {
      waiters.serve();
    }
  }

  /** Sets what returns the process's figures for messages, and what runs after each refusal. */
  void attachWatch(Supplier<String> figures, Runnable toldOfRefusals) {
    process = figures;
    onRefusal = toldOfRefusals;
  }

  /** Returns the most bytes in use that limit and process allow now. */
  private long most() {
    return isLifted ? Long.MAX_VALUE : Math.min(limit, ceiling);
  }

  /**
   * Returns the bytes that are free; negative if limit or ceiling have fallen below those in use.
   */
  long free() {
    return most() - inUse.get();
  }

  long inUse() {
    return inUse.get();
  }

  /** Returns the most bytes in use at any instant since {@link #resetHighest}. */
  long highest() {
    return highest.get();
  }

  /** Has the highest figure start anew, from what is in use now. */
  void resetHighest() {
    highest.set(inUse());
  }

  long refused() {
    return refused.get();
  }

  Waiters waiters() {
    return waiters;
  }

  /** Whether a collection may make room: it frees buffers, and gives heap back to the system. */
  boolean holdsCollectible() {
    return collectible.getAsLong() > 0 || ceiling < limit;
  }

  /**
   * Charges bytes; waits if there is no room.
   *
   * @throws OutOfMemoryError if the bytes are refused
   */
  @Override
  public void charge(long byteSize) {
    if (tryCharge(byteSize)) {
      return;
    }
    if (warns) {
      warn(byteSize);
    } else if (byteSize > limit || !waiters.await(byteSize)) {
      throw refuse(byteSize);
    }
  }

  @Override
  public boolean tryCharge(long byteSize) {
    return tryTake(byteSize, most());
  }

  private boolean tryTake(long byteSize, long most) {
    for (long now = inUse.get(); byteSize <= most - now; now = inUse.get()) {
      for (long known = highest.get(); now + byteSize > known; known = highest.get()) {
        highest.compareAndSet(known, now + byteSize); // before the bytes are taken, or nearly are
      }
      if (inUse.compareAndSet(now, now + byteSize)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refunds bytes, after their memory was freed or could not be allocated; waiters come first. A
   * waiter enters before its look for bytes, so at least one of the two threads sees the other.
   */
  @Override
  public void refund(long byteSize, boolean isFound) {
    if (byteSize > 0) {
      if (waiters.areThere()) {
        Usability.requireStack(Usability.REFUND_CALLS); // serving them takes several steps
      }
      waiters.refund(byteSize);
    }
    if (isFound) {
      waiters.noteFound();
    }
  }

  /** Makes bytes free for anybody. */
  void release(long byteSize) {
    long now = inUse.addAndGet(-byteSize);
    if (now < 0) {
      inUse.addAndGet(byteSize);
      throw new IllegalStateException(
          "Bytes must be charged before they are refunded: refunded " + byteSize);
    }
  }

  /** Charges beyond the limit; once a minute prints a line, and asks for a collection. */
  private void warn(long byteSize) {
    refused.incrementAndGet();
    onRefusal.run();
    long due = nextWarningNanos.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextWarningNanos.compareAndSet(due, now + WARNING_PAUSE_NANOS)) {
      Notices.print("limit.action=warn, so not refused: " + message(byteSize, ""));
      waiters.askForCollection();
    }
    if (!tryTake(byteSize, Long.MAX_VALUE)) { // more than a long has
      throw new OutOfMemoryError(message(byteSize, ""));
    }
  }

  private OutOfMemoryError refuse(long byteSize) {
    refused.incrementAndGet();
    onRefusal.run();
    String instead = " Raise";
    if (byteSize <= limit) {
      instead = " Free " + meansOfFreeing() + ", or raise";
      if (Collector.isExplicitCollectionOff()) {
        instead =
            " System.gc() collects nothing in this JVM (-XX:+DisableExplicitGC?), so buffers that"
                + " nothing reaches stay reserved until it collects by itself."
                + instead;
      }
    }
    String bound =
        isProcessFull(byteSize)
            ? " the bound: agent option limit.process."
            : " the limit: " + remedy + ".";
    return new OutOfMemoryError(message(byteSize, instead + bound));
  }

  /** Whether the limit has room for a request, and only the process has none. */
  private boolean isProcessFull(long byteSize) {
    return ceiling < limit && byteSize <= limit - inUse.get();
  }

  /** Returns the figures, what to do instead, and what the figures do not know. */
  private String message(long byteSize, String instead) {
    String largest = holders.get();
    String rule = (isOfAgent ? "Native" : "Direct") + " memory must stay within its limit";
    String limits = ", limit " + limit;
    if (isProcessFull(byteSize)) {
      rule = "Native memory must keep the process within its bound";
      limits = process.get();
    }
    return rule
        + ": asked for "
        + byteSize
        + (isOfAgent ? " bytes, in use " : " bytes, reserved ")
        + inUse()
        + limits
        + "."
        + (largest.isEmpty() ? "" : " Most is held by " + largest + ".")
        + instead
        + (largest.contains(" (malloc, ") ? " Memory that C code frees is not seen as freed." : "");
  }

  /** Programs under the agent do not know {@link DirectMemory}. */
  private String meansOfFreeing() {
    boolean inJavaBase = Budget.class.getModule().equals(Object.class.getModule());
    return isOfAgent
        ? "memory sooner"
        : "buffers sooner with " + (inJavaBase ? "Unsafe.invokeCleaner" : "DirectMemory.free");
  }
}
