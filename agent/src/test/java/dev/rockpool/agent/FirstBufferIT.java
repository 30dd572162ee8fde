package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit of option direct holds after a first wait where the stack ends. */
class FirstBufferIT {
  private static final String MAIN =
      """
      import dev.rockpool.child.StackEnd;
      import java.nio.ByteBuffer;

      public class Main {
        static ByteBuffer held;

        static void allocate() {
          ByteBuffer.allocateDirect(100).put(0, (byte) 1);
        }

        static void waitInVain() {
          if (isHadDespiteTheLimit()) {
            throw new AssertionError("had");
          }
        }

        static boolean isHadDespiteTheLimit() {
          try {
            return ByteBuffer.allocateDirect(1 << 20).capacity() > 0;
          } catch (OutOfMemoryError refused) {
            if (refused.getMessage() == null || !refused.getMessage().startsWith("Direct memory")) {
              throw refused;
            }
            return false;
          }
        }

        public static void main(String[] args) throws Throwable {
          held = ByteBuffer.allocateDirect(900 << 10);
          StackEnd.onSmallStack(() -> StackEnd.reach(Main::waitInVain, 0));
          boolean had = true;
          for (int i = 0; i < 1000 && had; i++) {
            allocate();
            held = ByteBuffer.allocateDirect(100 << 10);
            had = isHadDespiteTheLimit();
            Thread.sleep(10); // Rockpool waits before it collects garbage again
          }
          System.out.println(had ? "had" : "refused");
          System.exit(0);
        }
      }
      """;

  /** Programs that bring a JVM to its end. */
  private static final Path CHILD =
      Path.of(System.getProperty("rockpool.home"), "core/target/test-classes");

  @TempDir private Path directory;
  private ChildJvm jvm;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, List.of("-cp", CHILD.toString()), MAIN);
    jvm =
        ChildJvm.withAgent("direct")
            .in(directory)
            .with("-Drockpool.direct.limit=1m")
            .classPath(directory, CHILD);
  }

  /** With a recorder that runs, so that there is an event. */
  @Test
  void firstWaitAtTheEndOfTheStack() {
    jvm.with("-Xlog:disable", "-XX:StartFlightRecording=filename=x.jfr");
    assertThat(jvm.run("Main").output()).contains("refused").doesNotContain("had");
  }
}
