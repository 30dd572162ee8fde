package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Looks when the threads that free are there. For a JVM of its own, where nobody else has memory.
 */
final class ReclaimerProbe {
  private static final int ROUNDS = 20_000;

  private ReclaimerProbe() {}

  private static Optional<Thread> find(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findFirst();
  }

  private static Thread thread() {
    return find(Reclaimer.THREAD_NAME).orElseThrow();
  }

  public static void main(String[] args) throws InterruptedException {
    DirectMemory memory = DirectMemory.ofLimit(1 << 20);
    try (Arena arena = memory.ofConfined()) {
      arena.allocate(8 << 10);
    }
    System.out.println("housekeeper=" + find("rockpool-housekeeper").isPresent());

    MemorySegment live = memory.allocate(100, 1);
    Thread first = thread();
    System.out.println("ends while there is a block=" + first.join(Duration.ofSeconds(3)));
    memory.free(live);

    long start = System.nanoTime();
    Set<Thread> threads = new HashSet<>();
    for (int i = 0; i < ROUNDS; i++) {
      MemorySegment segment = memory.allocate(100, 1);
      if (i % 100 == 0) {
        threads.add(thread());
      }
      memory.free(segment);
    }
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    System.out.println("threads=" + threads.size());
    System.out.println("one a second=" + (threads.size() <= seconds + 2));
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("ends without a block=true");

    live = memory.allocate(100, 1);
    System.out.println("starts again=" + (!threads.contains(thread()) && thread().isAlive()));
    memory.free(live);
  }
}
