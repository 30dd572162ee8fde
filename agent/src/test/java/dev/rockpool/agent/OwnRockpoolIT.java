package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.LIBRARY_JAR;
import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that carry rockpool.jar themselves, and are run with the agent. */
class OwnRockpoolIT {
  private static final String OWN = "dev.rockpool.arena.BlockArena";

  private static final String MAIN =
      """
      package app;

      import module java.base;
      import dev.rockpool.arena.ArenaPool;
      import dev.rockpool.arena.Arenas;

      public class Main {
        static final ArenaPool POOL = ArenaPool.builder().blockByteSize(4096).build();

        public static void main(String[] args) throws Exception {
          try (Arena jdks = Arena.ofConfined(); Arena own = Arenas.ofConfined();
              Arena taken = POOL.take()) {
            print("Arena.ofConfined", jdks);
            print("Arenas.ofConfined", own);
            print("ArenaPool.take", taken);
          }
        }

        static void print(String what, Arena arena) throws Exception {
          MemorySegment segment = arena.allocateFrom("text");
          System.out.println(
              what + ": " + arena.getClass().getName() + " on " + regular(arena)
                  + " says " + segment.getString(0));
        }

        /** The arena that a pooled one is made of. */
        static String regular(Arena arena) throws Exception {
          for (Class<?> type = arena.getClass(); type != null; type = type.getSuperclass()) {
            for (var field : type.getDeclaredFields()) {
              if (field.getName().equals("lifetime")) {
                boolean open = field.trySetAccessible();
                return open ? field.get(arena).getClass().getName() : "(unknown)";
              }
            }
          }
          return "itself";
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void onTheClassPathBothPoolsWorkSideBySide() {
    compile(List.of("-cp", LIBRARY_JAR.toString()), MAIN);

    ChildJvm jvm =
        ChildJvm.withAgent()
            .with("--enable-native-access=ALL-UNNAMED")
            .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .classPath(directory, LIBRARY_JAR);

    assertThat(jvm.run("app.Main").quietOutput()).containsExactlyElementsOf(eachOnTheJdks());
  }

  @Test
  void onTheModulePathBothPoolsWorkSideBySide() {
    compileModule();

    ChildJvm jvm =
        ChildJvm.withAgent()
            .with("--enable-native-access=dev.rockpool")
            .with("--add-opens=java.base/jdk.internal.foreign=app")
            .with("--add-opens=dev.rockpool/dev.rockpool.arena=app")
            .modulePath(directory, LIBRARY_JAR);

    assertThat(jvm.run("-m", "app/app.Main").quietOutput())
        .containsExactlyElementsOf(eachOnTheJdks());
  }

  @Test
  void theAgentIsServedWhereTheLibraryIsDenied() {
    compileModule();

    ChildJvm.Exit exit =
        ChildJvm.withAgent()
            .with("--illegal-native-access=deny")
            .modulePath(directory, LIBRARY_JAR)
            .run("-m", "app/app.Main");

    assertThat(exit.output())
        .containsExactly(
            "Arena.ofConfined: " + POOLED + " on (unknown) says text",
            "Arenas.ofConfined: " + REGULAR + " on itself says text",
            "ArenaPool.take: " + REGULAR + " on itself says text");
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own. To have"
                + " them pooled, start java with --enable-native-access=dev.rockpool.");
  }

  @Test
  void noClassOfTheLibraryIsRewritten() {
    compile(List.of("-cp", LIBRARY_JAR.toString()), MAIN);

    ChildJvm.Exit exit =
        ChildJvm.withAgent("verbose", "include=*")
            .with("--enable-native-access=ALL-UNNAMED")
            .classPath(directory, LIBRARY_JAR)
            .run("app.Main");

    assertThat(exit.output()).hasSize(3);
    assertThat(exit.err())
        .filteredOn(line -> line.contains("rewritten"))
        .containsExactly("[rockpool] app.Main: 1 call site of Arena.ofConfined() rewritten");
  }

  private static List<String> eachOnTheJdks() {
    return List.of(
        "Arena.ofConfined: " + POOLED + " on jdk.internal.foreign.RockpoolLifetime says text",
        "Arenas.ofConfined: " + OWN + " on dev.rockpool.internal.Lifetime says text",
        "ArenaPool.take: " + OWN + " on dev.rockpool.internal.Lifetime says text");
  }

  private void compileModule() {
    compile(List.of("-p", LIBRARY_JAR.toString()), "module app { requires dev.rockpool; }", MAIN);
  }

  private void compile(List<String> options, String... sources) {
    Sources.compileTo(directory, options, sources);
  }
}
