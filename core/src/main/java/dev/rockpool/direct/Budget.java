package dev.rockpool.direct;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that direct memory takes from the system: {@code 0 <= taken <= limit} at any
 * instant. Bytes are taken before memory is allocated, and credited after it was freed. Taken bytes
 * are reserved for what is handed out, or kept.
 */
final class Budget {
  private final long limit;
  private final String remedy;
  private final AtomicLong taken = new AtomicLong();

  /** {@code remedy} tells how to raise the limit, which is in bytes and at least 1. */
  Budget(long limit, String remedy) {
    this.limit = limit;
    this.remedy = remedy;
  }

  long limit() {
    return limit;
  }

  long taken() {
    return taken.get();
  }

  boolean tryTake(long byteSize) {
    for (long now = taken.get(); byteSize <= limit - now; now = taken.get()) {
      if (taken.compareAndSet(now, now + byteSize)) {
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

  OutOfMemoryError refused(long byteSize, long reserved) {
    String instead = "Raise";
    if (byteSize <= limit) {
      instead = "Free buffers sooner with " + meansOfFreeing() + ", or raise";
      if (WaitingLine.isExplicitCollectionOff()) {
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
            + reserved
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
