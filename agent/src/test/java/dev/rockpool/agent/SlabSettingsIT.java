package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The system properties of the library hold for the agent, too. */
class SlabSettingsIT {
  /**
   * Prints the class of an arena, how many bytes it can have in a row, and how many arenas get a
   * slab. The bytes of slabs are handed out one after the other, and the slabs of a thread are
   * neighbours; an arena grows over half of them.
   */
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(1);
            System.out.println(arena.getClass().getName());
          }
          if (args.length > 0) {
            int slab = Integer.parseInt(args[0]);
            System.out.println(roomByteSize() + " bytes, " + slabs(slab) + " slabs");
          }
        }

        static int roomByteSize() {
          try (Arena arena = Arena.ofConfined()) {
            long start = arena.allocate(16).address();
            int bytes = 16;
            while (arena.allocate(16).address() == start + bytes) {
              bytes += 16;
            }
            return bytes;
          }
        }

        /** More arenas at once than there can be slabs, each allocating as much as a slab has. */
        static int slabs(int bytes) {
          long first = 0;
          Arena[] arenas = new Arena[65];
          int served = 0;
          for (int i = 0; i < arenas.length; i++) {
            arenas[i] = Arena.ofConfined();
            long address = arenas[i].allocate(bytes).address();
            first = i == 0 ? address : first;
            served += address == first + (long) i * bytes ? 1 : 0;
          }
          for (Arena arena : arenas) {
            arena.close();
          }
          return served;
        }
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, MAIN);
  }

  @ParameterizedTest
  @CsvSource({
    "64,   1,   64, '64 bytes, 1 slabs'",
    "512,  7,   512, '2048 bytes, 7 slabs'",
    "4k,   3,   4096, '8192 bytes, 3 slabs'",
    "1024, 64,  1024, '32768 bytes, 64 slabs'",
  })
  void sizesAreThoseOfTheProperties(String size, String slabs, String bytes, String expected) {
    assertThat(
            ChildJvm.withAgent()
                .with("-Drockpool.slab.size=" + size, "-Drockpool.slabs.per.thread=" + slabs)
                .classPath(directory)
                .run("Main", bytes)
                .quietOutput())
        .containsExactly(POOLED, expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rockpool.slab.size", "rockpool.slabs.per.thread"})
  void zeroSwitchesThePoolOff(String property) {
    assertThat(run("-D" + property + "=0").quietOutput()).containsExactly(REGULAR);
  }

  @ParameterizedTest
  @CsvSource({
    "rockpool.slab.size, big, 'bytes in a slab', 'a power of two from 64 to 1048576', 512",
    "rockpool.slab.size, 100, 'bytes in a slab', 'a power of two from 64 to 1048576', 512",
    "rockpool.slabs.per.thread, -1, 'slabs kept for a thread', 'a number from 1 to 64', 7",
    "rockpool.slabs.per.thread, 65, 'slabs kept for a thread', 'a number from 1 to 64', 7",
  })
  void nonsenseIsReportedOnceAndTheDefaultUsed(
      String property, String value, String meaning, String accepted, int defaultValue) {
    ChildJvm.Exit exit = run("-D" + property + "=" + value);

    assertThat(exit.output()).containsExactly(POOLED);
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] System property %s (%s) must be 0 (off) or %s: it is \"%s\"; using the default, %d."
                .formatted(property, meaning, accepted, value, defaultValue));
  }

  @Test
  void aProgramWithoutArenasIsToldNothing() {
    Sources.compileTo(
        directory,
        """
        public class Main {
          public static void main(String[] args) {
            System.out.println("hello");
          }
        }
        """);

    assertThat(run("-Drockpool.slab.size=big").quietOutput()).containsExactly("hello");
  }

  private ChildJvm.Exit run(String property) {
    return ChildJvm.withAgent().with(property).classPath(directory).run("Main");
  }
}
