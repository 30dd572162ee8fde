package dev.rockpool.direct;

import dev.rockpool.child.HeapEnd;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Frees memory where the heap has room to keep it, and none for the thread that gives it back one
 * day. Says whether it is given back after there was heap again, and a request.
 */
final class UntendedProbe {
  private static final int BYTE_SIZE = 8 << 10;

  /** Too little to keep anything. */
  private static final int TOO_LITTLE = 160;

  /** Enough for a thread as well. */
  private static final int ENOUGH = 1600;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private DirectMemory memory = DirectMemory.ofLimit(1 << 20);

  private static boolean isTended() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("rockpool-housekeeper"));
  }

  private static boolean isSoon(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean() && System.nanoTime() - start < LIMIT_NANOS) {
      LockSupport.parkNanos(1_000_000);
    }
    return condition.getAsBoolean();
  }

  /** Whether that much heap was enough to keep memory, and too little for the thread. */
  private boolean isUntendedWith(int bytes) throws Throwable {
    memory = DirectMemory.ofLimit(1 << 20);
    MemorySegment segment = memory.allocate(BYTE_SIZE, 1);
    HeapEnd.once(
        bytes,
        () -> {
          memory.free(segment);
          return true;
        });
    return memory.keptMemory().kept() > 0 && !isTended();
  }

  private void run() throws Throwable {
    memory.free(memory.allocate(BYTE_SIZE, 1)); // has all classes loaded
    int bytes = TOO_LITTLE;
    do {
      if (bytes > ENOUGH || !isSoon(() -> !isTended())) {
        throw new AssertionError("always tended, or always there");
      }
      bytes += 16;
    } while (!isUntendedWith(bytes));
    MemorySegment live = memory.allocate(100, 1);
    System.out.println("given back=" + isSoon(() -> memory.keptMemory().kept() == 0));
    memory.free(live);
  }

  public static void main(String[] args) throws Throwable {
    new UntendedProbe().run();
  }
}
