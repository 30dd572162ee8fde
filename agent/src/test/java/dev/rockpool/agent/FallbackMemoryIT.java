package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Small allocations beyond the block of an arena are freed with their arena. JDK 28 takes these
 * from a pool of its own, and only some closes return them.
 */
@EnabledOnOs(OS.LINUX)
class FallbackMemoryIT {
  private static final String MAIN =
      """
      static void main() throws Exception {
        open(10_000);
        long before = resident();
        open(40_000);
        System.out.println((resident() - before) >> 10);
      }

      /** More than the block of an arena has. */
      static void open(int arenas) {
        for (int i = 0; i < arenas; i++) {
          try (Arena arena = Arena.ofConfined()) {
            for (int j = 0; j < 220; j++) {
              arena.allocate(16);
            }
          }
        }
      }

      static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
          if (line.startsWith("VmRSS:")) {
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
          }
        }
        throw new IllegalStateException("no VmRSS");
      }
      """;

  @Test
  void memoryOfFallbackAllocationsIsFreed() {
    String grownMebibytes =
        ChildJvm.withAgent().with("-Xmx64m", "-XX:+UseSerialGC").program(MAIN).lines().getFirst();

    assertThat(Integer.parseInt(grownMebibytes)).isLessThan(128);
  }
}
