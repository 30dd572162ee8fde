package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From JDK 28 on, confined arenas are left to the JDK's own pool. */
@Tag("jdk")
class JdkPoolIT {
  private static final int FIRST_JDK = 28;

  /**
   * Opens an arena for each line; prints its class, and the size of the blocks of the JDK's pool.
   */
  private static final String MAIN =
      """
      static void main(String[] args) throws Exception {
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

  /** Compares the order of cleanup actions in checked arenas and in those of a class left alone. */
  private static final String ORDER =
      """
      import module java.base;

      public class Order {
        static List<String> close(Arena arena, int byteSize) {
          List<String> ran = new ArrayList<>();
          arena.allocate(byteSize);
          for (String name : List.of("first", "second", "third")) {
            MemorySegment.NULL.reinterpret(arena, segment -> ran.add(name));
          }
          arena.close();
          return ran;
        }

        public static void main(String[] args) {
          for (int byteSize : new int[] {1, 64, 100, 600}) {
            List<String> checked = close(Arena.ofConfined(), byteSize);
            List<String> plain = close(Plain.open(), byteSize);
            System.out.println(checked.equals(plain) ? "same" : checked + " " + plain);
          }
          System.out.println(Arena.ofConfined().getClass().getName());
          System.out.println(Plain.open().getClass().getName().startsWith("@PLAIN@"));
        }
      }

      class Plain {
        static Arena open() {
          return Arena.ofConfined();
        }
      }
      """
          .replace("@PLAIN@", REGULAR);

  @TempDir private Path directory;

  private ChildJvm jvm(ChildJvm jvm) {
    return jvm.with("--add-exports", "java.base/jdk.internal.foreign=ALL-UNNAMED")
        .with(Attachment.ALLOW)
        .in(directory)
        .program(MAIN, OLDER, ORDER);
  }

  @Test
  void anOlderJdkHasNoPool() {
    boolean isThere = Runtime.version().feature() >= FIRST_JDK;

    ChildJvm.Exit exit = ChildJvm.withAgent("verbose").program(MAIN, OLDER, ORDER).run("Older");

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

    assertThat(jvm.lines("once")).isEqualTo(List.of("jdk.internal.foreign." + expected));
  }

  /** The JDK's order depends on whether its own pool serves the memory. */
  @ParameterizedTest
  @ValueSource(strings = {"size=6", "size=9", "count=0"})
  void cleanupActionsOfCheckedArenasRunInTheJdksOrder(String power) {
    ChildJvm jvm =
        jvm(ChildJvm.withAgent("check,exclude=Plain"))
            .with("--enable-native-access=ALL-UNNAMED")
            .with("-Djdk.internal.foreign.native.confined.pool.power." + power);

    assertThat(jvm.run("Order").quietOutput())
        .isEqualTo(
            List.of(
                "same",
                "same",
                "same",
                "same",
                "jdk.internal.foreign.RockpoolCheckedArena",
                "true"));
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
