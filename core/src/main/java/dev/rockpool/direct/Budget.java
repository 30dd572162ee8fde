package dev.rockpool.direct;

import dev.rockpool.direct.WaitingLine.Waiter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts reserved bytes: {@code 0 <= reserved <= limit} at any instant. Bytes are reserved before
 * memory is allocated, and credited after it is freed.
 *
 * <p>While threads wait, no other thread passes them: {@link WaitingLine} serves them in FIFO
 * order.
 */
final class Budget {
  private final long limit;
  private final String remedy;
  private final AtomicLong reserved = new AtomicLong();
  private final WaitingLine line = new WaitingLine(this);

  /** {@code remedy} tells how to raise the limit, which is in bytes and at least 1. */
  Budget(long limit, String remedy) {
    this.limit = limit;
    this.remedy = remedy;
  }

  long limit() {
    return limit;
  }

  long reserved() {
    return reserved.get();
  }

  WaitingLine line() {
    return line;
  }

  boolean reservesNow(long byteSize) {
    return !line.isOccupied() && tryReserve(byteSize);
  }

  /** Waits until reserved or refused; {@link Waiter#served} tells, also if this throws. */
  boolean reservesInLine(Waiter waiter) {
    return waiter.byteSize <= limit && line.await(waiter);
  }

  /** Reserves if there is room right now. For {@link #reservesNow} and the line only. */
  boolean tryReserve(long byteSize) {
    long now = reserved.get();
    while (byteSize <= limit - now) {
      long seen = reserved.compareAndExchange(now, now + byteSize);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  /**
   * Credits reserved bytes, after their memory was freed or could not be allocated. Throws only if
   * nothing was credited.
   *
   * <p>The bytes are subtracted before the look at the line. A waiter enters the line before its
   * look at the bytes, so at least one of the two threads sees the other. If the stack ends before
   * the line was told, a waiter serves the line when it next wakes up.
   */
  void credit(long byteSize) {
    subtract(byteSize);
    try {
      if (line.isOccupied()) {
        line.credited();
      }
    } catch (Throwable later) {
      return;
    }
  }

  private void subtract(long byteSize) {
    long now = reserved.get();
    while (byteSize <= now) {
      long seen = reserved.compareAndExchange(now, now - byteSize);
      if (seen == now) {
        return;
      }
      now = seen;
    }
    throw new IllegalStateException(
        "Bytes must be reserved before they are credited: credited "
            + byteSize
            + ", reserved "
            + now);
  }

  OutOfMemoryError refused(long byteSize) {
    String instead = "Raise";
    if (byteSize <= limit) {
      instead = "Free buffers sooner with " + meansOfFreeing() + ", or raise";
      if (line.isExplicitCollectionOff()) {
        instead =
            "System.gc() collects nothing in this JVM (-XX:+DisableExplicitGC?), so buffers that"
                + " nothing reaches stay reserved until it collects by itself. "
                + instead;
      }
    }
    return new OutOfMemoryError(
        "Direct memory must stay within its limit: asked for "
            + byteSize
            + " bytes, reserved "
            + reserved()
            + ", limit "
            + limit
            + ". "
            + instead
            + " the limit: "
            + remedy
            + ".");
  }

  /** Programs under the agent do not know {@link DirectMemory}. */
  private static String meansOfFreeing() {
    boolean inJavaBase = Budget.class.getModule().equals(Object.class.getModule());
    return inJavaBase ? "Unsafe.invokeCleaner" : "DirectMemory.free";
  }
}
