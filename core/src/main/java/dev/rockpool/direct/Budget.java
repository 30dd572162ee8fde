package dev.rockpool.direct;

import dev.rockpool.direct.WaitingLine.Waiter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes are handed out, and how many may be: {@code 0 <= reserved <= limit} at any
 * instant. What comes first is reserved before it is allocated; what goes last is credited after it
 * was freed.
 *
 * <p>While threads wait, nobody passes them: {@link WaitingLine} decides who is next.
 */
final class Budget {
  private final long limit;
  private final String remedy;
  private final AtomicLong reserved = new AtomicLong();
  private final WaitingLine line = new WaitingLine(this);

  /**
   * A budget of which nothing is reserved.
   *
   * @param limit in bytes, at least 1
   * @param remedy how whoever runs out of it gets a larger one, for the message
   */
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

  /** Reserves if there is room and nobody waits. */
  boolean reservesNow(long byteSize) {
    return !line.isOccupied() && tryReserve(byteSize);
  }

  /**
   * Waits until the bytes are reserved, or can't be had.
   *
   * @param waiter of this thread; {@link Waiter#served} says whether they are, also when this
   *     throws
   */
  boolean reservesInLine(Waiter waiter) {
    return waiter.byteSize <= limit && line.await(waiter);
  }

  /** Reserves if there is room right now. To be used by {@link #reservesNow} and the line alone. */
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
   * Gives back what was reserved. Its memory is freed, or was never allocated. Throws only if it
   * gave back nothing.
   *
   * <p>First the bytes, then the look whether somebody waits: who waits does it the other way
   * round, so one of the two sees the other. Where the stack ends before they are handed out, those
   * who wait do that when they next wake up.
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
    throw overCredited(byteSize, now);
  }

  /** The error of who can't have that many bytes. */
  OutOfMemoryError refused(long byteSize) {
    return new OutOfMemoryError(refusal(byteSize));
  }

  private String refusal(long byteSize) {
    return "Direct memory must stay within its limit: asked for "
        + byteSize
        + " bytes, reserved "
        + reserved()
        + ", limit "
        + limit
        + ". "
        + (byteSize <= limit && line.isExplicitCollectionOff()
            ? "System.gc() collects nothing in this JVM (-XX:+DisableExplicitGC?), so buffers that"
                + " nothing reaches stay reserved until it collects by itself. "
            : "")
        + "Free buffers sooner with "
        + meansOfFreeing()
        + ", or raise the limit: "
        + remedy
        + ".";
  }

  /** Programs under the agent do not know {@link DirectMemory}. */
  private static String meansOfFreeing() {
    boolean inJavaBase = Budget.class.getModule().equals(Object.class.getModule());
    return inJavaBase ? "Unsafe.invokeCleaner" : "DirectMemory.free";
  }

  private static IllegalStateException overCredited(long byteSize, long reserved) {
    return new IllegalStateException(
        "Bytes are reserved before they are credited: credited "
            + byteSize
            + ", reserved "
            + reserved);
  }
}
