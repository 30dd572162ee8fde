package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent costs nothing before it pays: classes come late, and the pool comes last. */
@Timeout(120)
class StartIT {
  private static final String NONE =
      """
      public class None {
        public static void main(String[] args) {
          System.out.println("fine");
        }
      }
      """;

  private static final String FEW =
      """
      import java.lang.foreign.Arena;

      public class Few {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            System.out.println(arena.getClass().getName());
          }
        }
      }
      """;

  /** Opens arenas on some threads until one is pooled; prints whether there were enough before. */
  private static final String MANY =
      """
      import java.lang.foreign.Arena;
      import java.util.concurrent.atomic.AtomicBoolean;
      import java.util.concurrent.atomic.AtomicLong;

      public class Many {
        static final AtomicLong OPENED = new AtomicLong();
        static final AtomicBoolean POOLED = new AtomicBoolean();

        static void open() {
          while (!POOLED.get()) {
            OPENED.incrementAndGet();
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8).fill((byte) 1);
              if (arena.getClass().getName().contains("Rockpool")) {
                POOLED.set(true);
              }
            }
          }
        }

        public static void main(String[] args) throws InterruptedException {
          Thread[] threads = new Thread[Integer.parseInt(args[0])];
          boolean virtual = args[1].equals("virtual");
          for (int i = 0; i < threads.length; i++) {
            threads[i] = (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(Many::open);
          }
          for (Thread each : threads) {
            each.join();
          }
          System.out.println(OPENED.get() >= Long.parseLong(args[2]));
        }
      }
      """;

  @TempDir private Path folder;

  private ClassLoadingLog classesOf(String program, String... arguments) throws IOException {
    Sources.compileTo(folder, NONE, FEW);
    Path log = folder.resolve("classes.log");
    assertThat(
            ChildJvm.plain()
                .startingAfter("")
                .with("-javaagent:" + ChildJvm.AGENT_JAR, ClassLoadingLog.option(log))
                .with(arguments)
                .classPath(folder)
                .run(program)
                .quietOutput())
        .containsExactly(program.equals("None") ? "fine" : REGULAR);
    return ClassLoadingLog.read(log);
  }

  @Test
  void aProgramWithoutArenasLoadsTheGateAlone() throws IOException {
    ClassLoadingLog classes = classesOf("None");

    assertThat(classes.sources().keySet().stream().filter(each -> each.contains("rockpool")))
        .containsExactlyInAnyOrder("dev.rockpool.agent.AgentEntry", "dev.rockpool.agent.Gate");
    assertThat(classes.ours()).isEmpty();
  }

  @Test
  void aProgramWithFewArenasHasNoPool() throws IOException {
    assertThat(classesOf("Few").ours())
        .containsExactlyInAnyOrder(
            "java.lang.foreign.RockpoolArenas",
            "jdk.internal.foreign.RockpoolDefiner",
            "jdk.internal.foreign.RockpoolStart");
  }

  @Test
  void aProgramThatSwitchesTheAgentOffLoadsNoMore() throws IOException {
    assertThat(classesOf("Few", "-Drockpool.agent=off").ours()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, platform, 5000",
    "1, platform, 4000",
    "20, platform, 100000",
    "20, virtual, 100000",
    "1, platform, 1"
  })
  void thePoolStartsAfterSoManyArenas(int threads, String kind, String after) {
    Sources.compileTo(folder, MANY);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0")
                .startingAfter(after.equals("4000") ? "" : after)
                .classPath(folder)
                .run("Many", Integer.toString(threads), kind, after)
                .quietOutput())
        .containsExactly("true");
  }

  @Test
  void aNumberThatIsNotAcceptedIsToldAndTheDefaultTaken() {
    Sources.compileTo(folder, MANY);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR)
            .startingAfter("soon")
            .classPath(folder)
            .run("Many", "1", "platform", "4000");
    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err()).singleElement().asString().contains("rockpool.start.after", "\"soon\"");
  }
}
