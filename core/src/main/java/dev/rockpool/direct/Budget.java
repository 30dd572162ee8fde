package dev.rockpool.direct;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that are taken from the system: {@code 0 <= taken <= limit} at any instant,
 * unless the budget only warns. Bytes are taken before memory is allocated, and credited after it
 * was freed. Taken bytes are reserved for what is handed out, or kept.
 */
final class Budget {
  private static final long WARNING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final long limit;
  private final String remedy;
  private final boolean isOfAgent;
  private final boolean warns;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong highest = new AtomicLong();

  /** Requests that were refused, or of which the budget has warned, or could have. */
  private final AtomicLong refused = new AtomicLong();

  /** When to warn next. */
  private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

  /** {@code remedy} tells how to raise the limit, which is in bytes and at least 1. */
  Budget(long limit, String remedy) {
    this(limit, remedy, false, false);
  }

  /** Makes the budget of the agent's option {@code limit}, for native memory of all kinds. */
  static Budget ofAgent(long limit, boolean warns) {
    return new Budget(limit, "agent option limit", true, warns);
  }

  private Budget(long limit, String remedy, boolean isOfAgent, boolean warns) {
    this.limit = limit;
    this.remedy = remedy;
    this.isOfAgent = isOfAgent;
    this.warns = warns;
  }

  long limit() {
    return limit;
  }

  long taken() {
    return taken.get();
  }

  /** Returns the most bytes taken at any instant. */
  long highest() {
    return highest.get();
  }

  long refused() {
    return refused.get();
  }

  /** Whether requests beyond the limit pass. */
  boolean warns() {
    return warns;
  }

  boolean tryTake(long byteSize) {
    return tryTake(byteSize, limit);
  }

  /** Takes bytes beyond the limit; returns false if that is more than a {@code long}. */
  boolean tryTakeOverLimit(long byteSize) {
    refused.incrementAndGet();
    return tryTake(byteSize, Long.MAX_VALUE);
  }

  private boolean tryTake(long byteSize, long most) {
    for (long now = taken.get(); byteSize <= most - now; now = taken.get()) {
      if (taken.compareAndSet(now, now + byteSize)) {
        long known = highest.get();
        while (now + byteSize > known && !highest.compareAndSet(known, now + byteSize)) {
          known = highest.get();
        }
        return true;
      }
    }
    return false;
  }

  void credit(long byteSize) {
    long now = taken.get();
    for (; byteSize <= now; now = taken.get()) {
      if (taken.compareAndSet(now, now - byteSize)) {
        return;
      }
    }
    throw new IllegalStateException(
        "Bytes must be taken before they are credited: credited " + byteSize + ", taken " + now);
  }

  /** Returns true once a minute, to the one thread that is to warn. */
  boolean claimWarning() {
    long due = nextWarningNanos.get();
    long now = System.nanoTime();
    return now - due >= 0 && nextWarningNanos.compareAndSet(due, now + WARNING_PAUSE_NANOS);
  }

  OutOfMemoryError refuse(long byteSize, long reserved, String largestHolders) {
    refused.incrementAndGet();
    String instead = " Raise";
    if (byteSize <= limit) {
      instead = " Free " + meansOfFreeing() + ", or raise";
      if (WaitingLine.isExplicitCollectionOff()) {
        instead =
            " System.gc() collects nothing in this JVM (-XX:+DisableExplicitGC?), so buffers that"
                + " nothing reaches stay reserved until it collects by itself."
                + instead;
      }
    }
    instead = instead + " the limit: " + remedy + ".";
    return new OutOfMemoryError(message(byteSize, reserved, largestHolders, instead));
  }

  /** Returns the figures, what to do instead, and what the figures do not know. */
  String message(long byteSize, long reserved, String largestHolders, String instead) {
    return (isOfAgent ? "Native" : "Direct")
        + " memory must stay within its limit: asked for "
        + byteSize
        + (isOfAgent ? " bytes, in use " : " bytes, reserved ")
        + reserved
        + ", limit "
        + limit
        + "."
        + (largestHolders.isEmpty() ? "" : " Most is held by " + largestHolders + ".")
        + instead
        + (largestHolders.contains(" (malloc, ")
            ? " Memory that C code frees is not seen as freed."
            : "");
  }

  /** Programs under the agent do not know {@link DirectMemory}. */
  private String meansOfFreeing() {
    boolean inJavaBase = Budget.class.getModule().equals(Object.class.getModule());
    return isOfAgent
        ? "memory sooner"
        : "buffers sooner with " + (inJavaBase ? "Unsafe.invokeCleaner" : "DirectMemory.free");
  }
}
