package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Under the agent virtual threads use the blocks of their carrier, with no flag. */
class VirtualThreadsIT {
  /**
   * On one carrier, virtual threads one after another find the block that the last one gave back.
   * With stripes, each thread would have another one.
   */
  private static final String MAIN =
      """
      import module java.base;

      public class Main {
        static final Set<Long> ADDRESSES = new HashSet<>();

        public static void main(String[] args) throws Exception {
          Thread.ofVirtual().start(Main::use).join(); // the first arena has a block of its own
          ADDRESSES.clear();
          for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(Main::use).join();
          }
          System.out.println(ADDRESSES.size() + " block");
        }

        static void use() {
          for (int i = 0; i < 3; i++) {
            try (Arena arena = Arena.ofConfined()) {
              MemorySegment memory = arena.allocate(8);
              if (memory.get(ValueLayout.JAVA_LONG, 0) != 0) {
                throw new AssertionError("residue");
              }
              memory.set(ValueLayout.JAVA_LONG, 0, -1);
              ADDRESSES.add(memory.address());
            }
          }
        }
      }
      """;

  @Test
  void blocksAreThoseOfTheCarrier() {
    assertThat(
            ChildJvm.withAgent()
                .with("-Djdk.virtualThreadScheduler.parallelism=1")
                .with("-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .program(MAIN)
                .lines())
        .containsExactly("1 block");
  }
}
