package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.ChildJvm.Running;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a million virtual threads, which knows of the JDK's arenas alone. */
class MillionVirtualThreadsIT {
  private static final int CARRIERS = 4;

  /** Prints a line for every hundred thousand threads, then what the pool did, if there is one. */
  private static final String MAIN =
      """
      import java.lang.foreign.*;
      import java.util.concurrent.Semaphore;
      import java.util.concurrent.atomic.*;

      public class Main {
        static final int THREADS = 1_000_000;
        static final int AT_ONCE = 2_000;
        static final Semaphore ROOM = new Semaphore(AT_ONCE);
        static final Semaphore TURNS = new Semaphore(8);
        static final LongAdder MIGRATED = new LongAdder();
        static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

        public static void main(String[] args) throws Exception {
          long most = 0;
          for (int i = 1; i <= THREADS && FAILURE.get() == null; i++) {
            int number = i;
            ROOM.acquire();
            Thread.ofVirtual().start(() -> work(number));
            if (i % 10_000 == 0) {
              most = Math.max(most, statistic("bytesKept"));
            }
            if (i % 100_000 == 0) {
              System.out.println(i);
            }
          }
          ROOM.acquire(AT_ONCE);
          if (FAILURE.get() != null) {
            throw new AssertionError(FAILURE.get());
          }
          System.out.println(MIGRATED.sum());
          System.out.println(most);
          System.out.println(statistic("threads"));
          System.out.println(statistic("arenasClosed"));
          System.out.println(statistic("fromKeptBlock"));
        }

        /** The agent's library is where every program finds it. */
        static long statistic(String name) throws Exception {
          Class<?> type = Class.forName("jdk.internal.foreign.RockpoolArenaPool");
          Object pool = call(type, null, "shared");
          Object statistics = call(type, pool, "statistics");
          return ((Number) call(statistics.getClass(), statistics, name)).longValue();
        }

        static Object call(Class<?> type, Object target, String name) throws Exception {
          var method = type.getDeclaredMethod(name);
          method.setAccessible(true);
          return method.invoke(target);
        }

        static void work(int number) {
          try {
            TURNS.acquire();
            String before = carrier();
            nest(number, 0);
            if (!carrier().equals(before)) {
              MIGRATED.increment();
            }
            TURNS.release();
          } catch (Throwable failure) {
            FAILURE.compareAndSet(null, failure);
          } finally {
            ROOM.release();
          }
        }

        static String carrier() {
          String name = Thread.currentThread().toString();
          return name.substring(name.indexOf('@'));
        }

        static void nest(int number, int depth) throws InterruptedException {
          int seed = number + depth;
          long mark = (long) number << 8 | depth << 1;
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(8 * (1 + seed % 40));
            replace(first, 0, mark);
            pause(seed);
            if (depth < 2) {
              nest(number, depth + 1);
            }
            MemorySegment second = arena.allocate(seed % 7 != 0 ? 8 * (seed % 20) : 600);
            replace(second, 0, mark + 1);
            pause(seed + 1);
            replace(first, mark, -1);
            replace(second, mark + 1, -1);
          }
        }

        static void replace(MemorySegment memory, long expected, long mark) {
          for (long offset = 0; offset < memory.byteSize(); offset += 8) {
            long found = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            if (found != expected) {
              throw new AssertionError("%x instead of %x at byte %d of %s"
                  .formatted(found, expected, offset, memory));
            }
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, mark);
          }
        }

        /** Has this virtual thread unmounted, now and then by a timer. Nobody relies on how long. */
        static void pause(int seed) throws InterruptedException {
          if (seed % 32 == 0) {
            Thread.sleep(seed % 64 / 32);
          } else {
            Thread.yield();
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void findZeroedMemoryOfTheirOwnAndTakeNoMoreThanTheirCarriers() {
    Sources.compileTo(directory, MAIN);
    ChildJvm jvm =
        ChildJvm.withAgent()
            .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .with("-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS)
            .with("-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS)
            .classPath(directory);

    try (Running program = jvm.start("Main")) {
      for (int threads = 100_000; threads <= 1_000_000; threads += 100_000) {
        assertThat(program.answer()).as(program::soFar).isEqualTo("" + threads);
      }
      List<String> rest = program.end().quietOutput().subList(10, 15);
      long[] figures = rest.stream().mapToLong(Long::parseLong).toArray();
      assertThat(figures[0]).as("threads that migrated").isPositive();
      // Of each carrier, and of the main thread and its first arenas.
      long most = (CARRIERS + 1) * (8 * 512 + 2 * 8192) + 1024 * 512;
      assertThat(figures[1]).as("most bytes kept").isBetween(1L, most);
      assertThat(figures[2]).as("threads that keep blocks").isBetween(1L, (long) CARRIERS);
      assertThat(figures[3]).as("arenas closed").isEqualTo(3_000_000);
      assertThat(figures[4]).as("arenas served by kept blocks").isBetween(1L, 3_000_000L);
    }
  }
}
