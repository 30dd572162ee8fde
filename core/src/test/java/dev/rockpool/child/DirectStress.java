package dev.rockpool.child;

import dev.rockpool.direct.DirectMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that allocate direct memory and drop it, never freeing any, under a limit that holds a
 * fraction of what they would; beside them threads that free by hand, and virtual threads. At any
 * time all that is live fits the limit, so an OutOfMemoryError is a failure.
 */
final class DirectStress {
  private static final int LARGEST = 64 << 10;
  private static final int DROPPING = 8;
  private static final int VIRTUAL = 8;
  private static final int FREEING = 2;

  /** The live buffers: one each, and the one before it, which a frame may still hold. */
  private static final long LIVE = 2L * LARGEST * (DROPPING + VIRTUAL + FREEING);

  private static final DirectMemory MEMORY = DirectMemory.ofLimit(2 * LIVE);
  private static final AtomicLong ALLOCATIONS = new AtomicLong();
  private static final Queue<Throwable> FAILURES = new ConcurrentLinkedQueue<>();

  private DirectStress() {}

  /** Arguments: seconds, and mebibytes of live heap, which make a collection slow. */
  public static void main(String[] args) throws InterruptedException {
    List<byte[][]> heap = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      heap.add(new byte[1024][1008]);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < DROPPING + VIRTUAL + FREEING; i++) {
      boolean free = i < FREEING;
      SplittableRandom random = new SplittableRandom(i);
      Thread.Builder builder = i < DROPPING + FREEING ? Thread.ofPlatform() : Thread.ofVirtual();
      threads.add(builder.start(() -> run(free, random, end)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    FAILURES.forEach(Throwable::printStackTrace);
    System.out.println("failures=" + FAILURES.size());
    System.out.println("allocations=" + ALLOCATIONS.get());
    System.out.println("live heap=" + heap.size());
    while (MEMORY.reserved() > 0) {
      System.gc();
    }
    System.out.println("reserved in the end=" + MEMORY.reserved());
  }

  private static void run(boolean free, SplittableRandom random, long end) {
    try {
      while (System.nanoTime() < end && FAILURES.isEmpty()) {
        ByteBuffer buffer = MEMORY.allocate(byteSize(random));
        if (buffer.get(0) != 0 || buffer.get(buffer.capacity() - 1) != 0) {
          throw new AssertionError("not zero: " + buffer);
        }
        buffer.put(0, (byte) 1).put(buffer.capacity() - 1, (byte) 1);
        if (free) {
          MEMORY.free(buffer);
        }
        if (MEMORY.reserved() > MEMORY.limit()) {
          throw new AssertionError(MEMORY);
        }
        ALLOCATIONS.incrementAndGet();
      }
    } catch (Throwable failure) {
      FAILURES.add(failure);
    }
  }

  /** Half of them of few sizes, so that malloc serves the same addresses again. */
  private static int byteSize(SplittableRandom random) {
    return random.nextBoolean() ? 4096 << random.nextInt(4) : random.nextInt(1, LARGEST);
  }
}
