package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Threads;

/**
 * One allocation of 20 bytes, on eight virtual threads at once that share slots: {@code rockpool}
 * has as many as there are by default, {@code oneSlot} a single one for all of them. Whoever finds
 * it owned goes the regular way, which must not cost more than it does without a pool.
 *
 * <pre>
 * ./rockpool bench --filter ContendedSlots
 * java -jar bench/target/benchmarks.jar ContendedSlots -t 32 -prof gc     (more of them)
 * </pre>
 *
 * <p>There are eight carriers, whatever the number of processors, or else JMH's loop, which never
 * waits, would keep some of the threads from running at all. The time is that of each thread: with
 * fewer processors than threads it is longer for all contestants.
 */
@Threads(ContendedSlots.THREADS)
@Fork(
    value = ArenaBenchmark.FORKS,
    jvmArgsPrepend = {
      Conditions.NATIVE_ACCESS,
      Conditions.AT_ONCE,
      Conditions.VIRTUAL,
      ContendedSlots.CARRIERS
    })
public class ContendedSlots extends Contestants {
  static final int THREADS = 8;
  static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism=" + THREADS;

  private static final int SIZE = 20;

  /** The number of times that a thread lets others go first while its arena is open. */
  @Param({"0", "1"})
  public int yields;

  /** Apart from the benchmark, so that the JVM that measures another contestant makes no pool. */
  private static final class Single {
    static final ArenaPool POOL = ArenaPool.builder().sharedSlots(1).build();
  }

  @Override
  @Nullable ArenaPool poolOf(String contestant) {
    return contestant.equals("oneSlot") ? Single.POOL : super.poolOf(contestant);
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // any other thread may go first, or none
  long use(Arena arena) {
    long address = arena.allocate(SIZE).address();
    for (int i = 0; i < yields; i++) {
      Thread.yield();
    }
    return address;
  }

  @Benchmark
  public long oneSlot() throws Throwable {
    try (Arena arena = Single.POOL.take()) {
      return use(arena);
    }
  }
}
