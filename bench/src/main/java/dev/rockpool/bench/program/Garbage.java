package dev.rockpool.bench.program;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;

/**
 * Time and garbage of an arena, in a program that runs as long as a user's: not the best of several
 * compilations, as in a benchmark, but the one that this JVM came to. So run it in many JVMs.
 *
 * <p>Prints, for the last of some rounds, nanoseconds and bytes of heap for each arena.
 */
public final class Garbage {
  private static final int ROUNDS = 12;
  private static final int ARENAS = 1_000_000;
  private static final int ARENAS_IN_THREADS = 50_000;

  private static final ThreadMXBean HEAP = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int allocations;
  private final int byteSize;
  private long nanos;
  private long heapBytes;

  private Garbage(int allocations, int byteSize) {
    this.allocations = allocations;
    this.byteSize = byteSize;
  }

  private static long open(int allocations, int byteSize) {
    try (Arena arena = Arena.ofConfined()) {
      long sum = 0;
      for (int i = 0; i < allocations; i++) {
        sum += arena.allocate(byteSize).address();
      }
      return sum;
    }
  }

  private void round(int arenas) {
    long heapBefore = HEAP.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    long sum = 0;
    for (int i = 0; i < arenas; i++) {
      sum += open(allocations, byteSize);
    }
    nanos += System.nanoTime() - start;
    heapBytes += HEAP.getCurrentThreadAllocatedBytes() - heapBefore;
    if (sum == 0) {
      throw new IllegalStateException("no address");
    }
  }

  private void roundInThreads(int arenasInEach) throws InterruptedException {
    for (int left = ARENAS_IN_THREADS; left > 0; left -= arenasInEach) {
      Thread thread = new Thread(() -> round(arenasInEach));
      thread.start();
      thread.join();
    }
  }

  /**
   * Takes allocations in each arena, bytes in each, and optionally arenas in each thread, for one
   * short platform thread after the other.
   */
  public static void main(String[] args) throws InterruptedException {
    Garbage loop = new Garbage(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    int arenas = args.length > 2 ? ARENAS_IN_THREADS : ARENAS;
    for (int i = 0; i < ROUNDS; i++) {
      loop.nanos = 0;
      loop.heapBytes = 0;
      if (args.length > 2) {
        loop.roundInThreads(Integer.parseInt(args[2]));
      } else {
        loop.round(arenas);
      }
    }
    System.out.printf("%.1f ns %d B%n", (double) loop.nanos / arenas, loop.heapBytes / arenas);
  }
}
