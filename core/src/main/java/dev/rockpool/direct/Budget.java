package dev.rockpool.direct;

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

  /**
   * Reserves {@code byteSize} bytes, and waits for them if it has to.
   *
   * @throws OutOfMemoryError if they can't be had
   */
  void reserve(long byteSize) {
    if (line.isOccupied() || !tryReserve(byteSize)) {
      reserveSlowly(byteSize);
    }
  }

  private void reserveSlowly(long byteSize) {
    if (byteSize > limit || !line.reserve(byteSize)) {
      throw new OutOfMemoryError(refusal(byteSize));
    }
  }

  /** Reserves if there is room right now. To be used by {@link #reserve} and the line alone. */
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
   * Gives back what was reserved. Its memory is freed, or was never allocated.
   *
   * <p>First the bytes, then the look whether somebody waits: who waits does it the other way
   * round, so one of the two sees the other.
   */
  void credit(long byteSize) {
    long left = reserved.addAndGet(-byteSize);
    if (left < 0) {
      throw overCredited(byteSize, left);
    }
    if (line.isOccupied()) {
      line.credited();
    }
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
        + "Free buffers sooner with DirectMemory.free, or raise the limit: "
        + remedy
        + ".";
  }

  private static IllegalStateException overCredited(long byteSize, long left) {
    return new IllegalStateException(
        "What is credited was reserved before: credited " + byteSize + ", left " + left);
  }
}
