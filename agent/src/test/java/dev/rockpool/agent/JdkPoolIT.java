package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From JDK 28 on, confined arenas are left to the JDK's own pool. */
@Tag("jdk")
class JdkPoolIT {
  private static final int FIRST_JDK = 28;

  /**
   * Opens an arena for each line; prints its class, and the size of the blocks of the JDK's pool.
   */
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;
      import java.util.Scanner;

      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println(args[0].equals("once") ? open() : args[0]);
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(open());
          }
        }

        static String open() throws Exception {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(100);
            return arena.getClass().getName() + " " + Class.forName("jdk.internal.foreign.ConfinedSegmentPool")
                .getMethod("pooledMemorySize").invoke(null) + " " + System.getProperty("rockpool.agent.jdk.pool");
          }
        }
      }
      """;

  private static final String OLDER =
      """
      import java.lang.foreign.Arena;

      public class Older {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(arena.getClass().getName());
          }
        }
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, MAIN, OLDER);
  }

  private ChildJvm jvm(ChildJvm jvm) {
    return jvm.with("--add-exports", "java.base/jdk.internal.foreign=ALL-UNNAMED")
        .with(Attachment.ALLOW)
        .in(directory)
        .classPath(directory);
  }

  @Test
  void anOlderJdkHasNoPool() {
    boolean isThere = Runtime.version().feature() >= FIRST_JDK;

    ChildJvm.Exit exit = ChildJvm.withAgent("verbose").classPath(directory).run("Older");

    assertThat(exit.out()).containsExactly(isThere ? REGULAR : POOLED);
    assertThat(exit.err().contains("[rockpool] arenas are " + JdkPool.OURS)).isEqualTo(isThere);
  }

  @ParameterizedTest
  @EnabledForJreRange(minVersion = FIRST_JDK)
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "''           | -       | ArenaImpl$OfConfined 512 " + JdkPool.OURS,
        "''           | size=8  | ArenaImpl$OfConfined 256 " + JdkPool.USERS,
        "''           | count=0 | ArenaImpl$OfConfined 64 " + JdkPool.USERS,
        "record=x.jfr | -       | RockpoolRecordedArena 512 " + JdkPool.OURS,
        "check        | -       | RockpoolCheckedArena 64 null",
        "arenas=off   | -       | ArenaImpl$OfConfined 64 null"
      })
  void arenasAreOfTheJdksPool(String options, @Nullable String power, String expected) {
    ChildJvm jvm = jvm(ChildJvm.withAgent(options));
    if (power != null) {
      jvm.with("-Djdk.internal.foreign.native.confined.pool.power." + power);
    }

    assertThat(jvm.run("Main", "once").quietOutput())
        .isEqualTo(List.of("jdk.internal.foreign." + expected));
  }

  @ParameterizedTest
  @EnabledForJreRange(minVersion = FIRST_JDK)
  @CsvSource(
      delimiter = '|',
      value = {"ready | 512 | " + JdkPool.OURS, "once | 64 | " + JdkPool.EARLIER})
  void anAttachEnlargesAPoolThatWasNotUsed(String how, int size, String told) throws Exception {
    String arena = "jdk.internal.foreign.ArenaImpl$OfConfined ";
    try (ChildJvm.Running program = jvm(ChildJvm.plain()).start("Main", how)) {
      assertThat(program.answer()).isEqualTo(how.equals("once") ? arena + "64 null" : how);

      Attachment.attach(program, "");

      assertThat(program.ask("open")).isEqualTo(arena + size + " " + told);
      Attachment.uninstall(program);
      assertThat(program.ask("open")).isEqualTo(arena + size + " null");
      program.end().quietOutput();
    }
  }
}
