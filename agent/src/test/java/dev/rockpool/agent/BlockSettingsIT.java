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
class BlockSettingsIT {
  /** Prints the class of an arena; and if so told, the agent's pool as text. */
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) throws Exception {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(1);
            System.out.println(arena.getClass().getName());
          }
          if (args.length > 0) {
            var shared = Class.forName("jdk.internal.foreign.RockpoolArenaPool").getDeclaredMethod("shared");
            shared.setAccessible(true);
            System.out.println(shared.invoke(null));
          }
        }
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, MAIN);
  }

  @ParameterizedTest
  @CsvSource({"64, 1, 64", "512, 8, 512", "4k, 3, 4096", "1m, 64, 1048576"})
  void sizesAreThoseOfTheProperties(String size, String blocks, String bytes) {
    assertThat(
            ChildJvm.withAgent()
                .with("-Drockpool.block.size=" + size, "-Drockpool.blocks.per.thread=" + blocks)
                .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
                .classPath(directory)
                .run("Main", "sizes")
                .quietOutput())
        .containsExactly(
            POOLED, "ArenaPool[blockByteSize=" + bytes + ", blocksPerThread=" + blocks + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rockpool.slab.size",
        "rockpool.slabs.per.thread",
        "rockpool.shared.slots",
        "rockpool.first.arenas"
      })
  void formerNamesAreReportedAndIgnored(String property) {
    ChildJvm.Exit exit = run("-D" + property + "=0");

    assertThat(exit.output()).containsExactly(POOLED);
    assertThat(exit.err()).singleElement().asString().contains(property, "ignored");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rockpool.block.size", "rockpool.blocks.per.thread"})
  void zeroSwitchesThePoolOff(String property) {
    assertThat(run("-D" + property + "=0").quietOutput()).containsExactly(REGULAR);
  }

  @ParameterizedTest
  @CsvSource({
    "rockpool.block.size, big, 'bytes in a block', 'a power of two from 64 to 1048576', 512",
    "rockpool.block.size, 100, 'bytes in a block', 'a power of two from 64 to 1048576', 512",
    "rockpool.blocks.per.thread, -1, 'blocks kept for a thread', 'a number from 1 to 64', 8",
    "rockpool.blocks.per.thread, 65, 'blocks kept for a thread', 'a number from 1 to 64', 8",
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

    assertThat(run("-Drockpool.block.size=big").quietOutput()).containsExactly("hello");
  }

  private ChildJvm.Exit run(String property) {
    return ChildJvm.withAgent().with(property).classPath(directory).run("Main");
  }
}
