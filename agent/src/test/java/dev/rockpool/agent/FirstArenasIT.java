package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first arenas of a thread share slabs, as a thread may end soon. */
class FirstArenasIT {
  /** Prints for each arena of a new thread whether its memory is where the one before it was. */
  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) throws InterruptedException {
          Thread thread = Thread.ofPlatform().start(() -> {
            StringBuilder seen = new StringBuilder();
            for (int i = 0; i < 20; i++) {
              try (Arena arena = Arena.ofConfined(); Arena other = Arena.ofConfined()) {
                long address = arena.allocate(8).address();
                long distance = other.allocate(8).address() - address;
                seen.append(Math.abs(distance) == 512 && address % 64 == 0 ? 'P' : '-');
              }
            }
            System.out.println(seen);
          });
          thread.join();
        }
      }
      """;

  private static final String INHERITING =
      """
      import java.lang.foreign.Arena;
      import java.nio.ByteBuffer;

      public class Inheriting {
        static final InheritableThreadLocal<String> INHERITED =
            new InheritableThreadLocal<>() {
              @Override
              protected String childValue(String parentValue) {
                throw new AssertionError("inherited");
              }
            };

        public static void main(String[] args) {
          INHERITED.set("something");
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
          }
          ByteBuffer.allocateDirect(8);
          INHERITED.remove();
          System.out.println(new Thread().getName());
        }
      }
      """;

  @TempDir private Path folder;

  /** Two arenas a round. */
  @ParameterizedTest
  @CsvSource({
    "-Dnothing=0, --------PPPPPPPPPPPP",
    "-Drockpool.first.arenas=6, ---PPPPPPPPPPPPPPPPP",
    "-Drockpool.first.arenas=0, PPPPPPPPPPPPPPPPPPPP"
  })
  void areTheJdks(String setting, String expected) {
    Sources.compileTo(folder, List.of(), PROGRAM);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR, setting)
                .classPath(folder)
                .run("Main")
                .quietOutput())
        .containsExactly(expected);
  }

  @Test
  void howManyIsRefusedWhereItIsNoNumber() {
    Sources.compileTo(folder, List.of(), PROGRAM);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=few")
            .classPath(folder)
            .run("Main");
    assertThat(exit.out()).containsExactly("--------PPPPPPPPPPPP");
    assertThat(exit.err().toString()).contains("rockpool.first.arenas", "\"few\"", "1000");
  }

  /** The agent makes a thread to test that segments are refused to other threads. */
  @Test
  void takeNoThreadNameAndRunNoCodeOfTheProgram() {
    Sources.compileTo(folder, List.of(), INHERITING);

    assertThat(ChildJvm.withAgent("direct").classPath(folder).run("Inheriting").quietOutput())
        .containsExactly("Thread-0");
  }
}
