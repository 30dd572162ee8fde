package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Option {@code limit} once memory is full: who is served, and who is refused. */
class FullLimitIT {
  /** Each arrival used to put off the refusal of all others, and to have garbage collected. */
  @ParameterizedTest
  @CsvSource({"100, 30", "10, 300", "1, 3000"})
  void requestsAreRefusedAtAnyRateOfArrivals(String everyMillis, String requests) {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m"),
            """
            static void main(String[] args) throws Exception {
              List<ByteBuffer> held = new ArrayList<>();
              for (int i = 0; i < 64; i++) {
                held.add(ByteBuffer.allocateDirect(1 << 20));
              }
              long millis = Long.parseLong(args[0]);
              AtomicInteger refused = new AtomicInteger();
              List<Thread> requests = new ArrayList<>();
              long collections = Book.fullCollections();
              long start = System.nanoTime();
              for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                Thread.sleep(millis);
                requests.add(Thread.startVirtualThread(() -> {
                  try {
                    ByteBuffer.allocateDirect(1 << 20);
                  } catch (OutOfMemoryError atTheLimit) {
                    refused.incrementAndGet();
                  }
                }));
              }
              for (Thread each : requests) {
                each.join();
              }
              long tenths = (System.nanoTime() - start) / 100_000_000;
              collections = Book.fullCollections() - collections;
              System.out.println(
                  refused + " refused, " + (collections <= 3 + tenths / 8 ? "few" : collections)
                      + " collections, " + held.size() + " held");
            }
            """,
            everyMillis,
            requests);

    assertThat(lines).containsExactly(requests + " refused, few collections, 64 held");
  }

  /** One that asks again and again for more than there is used to stall all others. */
  @Test
  void whatFitsIsServedWhoeverWaits() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m"),
            """
            static void main() throws Exception {
              try (Arena held = Arena.ofShared()) {
                held.allocate(30 * Book.MIB);
                Thread large = Thread.startVirtualThread(() -> {
                  for (int i = 0; i < 3; i++) {
                    try (Arena arena = Arena.ofShared()) {
                      arena.allocate(40 * Book.MIB);
                      throw new AssertionError();
                    } catch (OutOfMemoryError atTheLimit) {
                      continue;
                    }
                  }
                });
                int served = 0;
                while (large.isAlive()) {
                  try (Arena arena = Arena.ofShared()) {
                    arena.allocate(1000);
                    served++;
                  }
                }
                System.out.println(served > 1000 ? "served" : served);
              }
            }
            """);

    assertThat(lines).containsExactly("served");
  }

  @Test
  void eventLoopIsRefusedAtOnce() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m", "limit.wait=0"),
            """
            static void main() {
              int refused = 0;
              try (Arena held = Arena.ofShared()) {
                held.allocate(64 * Book.MIB);
                for (int i = 0; i < 2000; i++) { // a quarter of an hour, if each waited
                  try {
                    held.allocate(1);
                  } catch (OutOfMemoryError atTheLimit) {
                    refused++;
                  }
                }
              }
              System.out.println(refused);
            }
            """);

    assertThat(lines).containsExactly("2000");
  }

  private static final String CONTENTION =
      """
      static final long LIMIT = 8 << 20;
      static final AtomicLong held = new AtomicLong();
      static final AtomicLong most = new AtomicLong();
      static final AtomicLong refused = new AtomicLong();

      static void main() throws Exception {
        Book.agent();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 12; i++) {
          SplittableRandom random = new SplittableRandom(i);
          Runnable work = () -> {
            try {
              work(random);
            } catch (Throwable failure) {
              failures.add(failure);
            }
          };
          threads.add(i % 3 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
        }
        for (Thread thread : threads) {
          while (!thread.join(Duration.ofMillis(5))) {
            long inUse = Book.inUse();
            if (inUse < 0 || inUse > LIMIT) {
              throw new AssertionError(inUse);
            }
          }
        }
        for (Throwable failure : failures) {
          throw new AssertionError(failure);
        }
        long highest = (long) Book.attribute("LimitHighest");
        if (most.get() > LIMIT || highest > LIMIT || highest < LIMIT / 2 || held.get() != 0) {
          throw new AssertionError(most + " " + highest + " " + held);
        }
        while (!takesNearlyAll()) { // for which kept memory gives way, and garbage if anybody waits
          System.gc();
        }
        Map<Object, Object> kinds = Book.inUseByKind();
        System.out.println(kinds.get("confined") + " " + kinds.get("shared") + " " + refused.get());
      }

      static boolean takesNearlyAll() {
        try (Arena all = Arena.ofShared()) {
          all.allocate(LIMIT * 7 / 8);
          return true;
        } catch (OutOfMemoryError refused) {
          return false;
        }
      }

      static void took(long byteSize) {
        most.accumulateAndGet(held.addAndGet(byteSize), Math::max);
      }

      static void work(SplittableRandom random) {
        for (int i = 0; i < 300; i++) {
          int byteSize = random.nextInt(random.nextInt(3) == 0 ? 1_000_000 : 50_000) + 9_000;
          try {
            switch (random.nextInt(6)) {
              case 0 -> hold(Arena.ofShared(), byteSize);
              case 1 -> Arena.ofAuto().allocate(byteSize);
              case 2 -> ByteBuffer.allocateDirect(byteSize);
              case 3 -> {
                try (Arena arena = Arena.ofConfined()) {
                  arena.allocate(random.nextInt(600));
                }
              }
              default -> hold(Arena.ofConfined(), byteSize);
            }
          } catch (OutOfMemoryError atTheLimit) {
            if (!atTheLimit.getMessage().startsWith("Native memory must stay within its limit")) {
              throw atTheLimit;
            }
            refused.incrementAndGet();
          }
        }
      }

      static void hold(Arena arena, int byteSize) {
        try (arena) {
          arena.allocate(byteSize);
          took(byteSize);
          Thread.yield();
          held.addAndGet(-byteSize);
        }
      }
      """;

  /** Threads that wait get their bytes; others are refused. */
  @ParameterizedTest
  @CsvSource({"limit.wait=60s, 0", "limit.wait=0, [1-9]\\d*"})
  void limitHoldsUnderContention(String wait, String refused) {
    List<String> output = LimitProgram.run(ChildJvm.withAgent("limit=8m", wait), CONTENTION);

    assertThat(output).singleElement().asString().matches("0 0 " + refused);
  }

  /** Nobody else can free the blocks that these threads keep. */
  @Test
  void blocksOfIdleThreadsLeaveRoom() throws Exception {
    String program =
        """
        import module java.base;

        public class Main {
          static final int THREADS = 400;
          static final CountDownLatch used = new CountDownLatch(THREADS);
          static final CountDownLatch end = new CountDownLatch(1);

          static void useAndIdle() {
            for (int i = 0; i < 40; i++) {
              Arena[] open = new Arena[10];
              for (int at = 0; at < open.length; at++) {
                open[at] = Arena.ofConfined();
                open[at].allocate(100);
              }
              for (Arena each : open) {
                each.close();
              }
            }
            used.countDown();
            try {
              end.await();
            } catch (InterruptedException ended) {
              return;
            }
          }

          public static void main(String[] args) throws Exception {
            for (int i = 0; i < THREADS; i++) {
              Thread.ofPlatform().start(Main::useAndIdle);
            }
            used.await();
            try (Arena arena = Arena.ofShared()) {
              System.out.println(arena.allocate(7_000_000).byteSize());
            } finally {
              end.countDown();
            }
          }
        }
        """;

    assertThat(ChildJvm.withAgent("limit=8m").program(program).lines()).containsExactly("7000000");
  }

  /** Each thread keeps one, which nobody counts. */
  @Test
  void theJdkKeepsOnlySmallTemporaryBuffersOfChannels() {
    String program =
        """
        static void main() throws Exception {
          byte[] large = new byte[4 << 20];
          CountDownLatch written = new CountDownLatch(60);
          long before = resident();
          for (int i = 0; i < 60; i++) {
            Thread.ofPlatform().daemon().start(() -> {
              try (FileChannel file = FileChannel.open(
                  Files.createTempFile("rockpool", ""),
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DELETE_ON_CLOSE)) {
                file.write(ByteBuffer.wrap(large));
                file.write(ByteBuffer.allocate(100 << 10));
              } catch (Exception failure) {
                failure.printStackTrace();
              }
              written.countDown();
              while (true) {
                java.util.concurrent.locks.LockSupport.park();
              }
            });
          }
          written.await();
          System.out.println(resident() - before > 200 << 20 ? "kept" : "not kept");
        }

        static long resident() throws Exception {
          return Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("RssAnon:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
              .findAny()
              .orElseThrow();
        }
        """;

    assertThat(ChildJvm.withAgent().program(program).lines()).containsExactly("kept");
    assertThat(ChildJvm.withAgent("limit=1g").program(program).lines()).containsExactly("not kept");
    assertThat(
            ChildJvm.withAgent("limit=1g")
                .with("-Djdk.nio.maxCachedBufferSize=10000000")
                .program(program)
                .lines())
        .as("the user has said otherwise")
        .containsExactly("kept");
  }
}
