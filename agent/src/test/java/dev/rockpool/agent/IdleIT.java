package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent's threads do in a program that nobody looks at. */
class IdleIT {
  /** Goes on until both threads have looked for somebody who looks. */
  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) throws InterruptedException {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
          }
          Thread.sleep(2500);
        }
      }
      """;

  @TempDir private Path folder;

  /** A class of events alone has the JVM start half of the recorder: 0.3 s of processor time. */
  @Test
  void recorderIsLeftAlone() {
    Sources.compileTo(folder, List.of(), PROGRAM);

    ChildJvm.Exit exit =
        ChildJvm.withAgent().with("-Xlog:class+load").classPath(folder).run("Main");

    String loaded = exit.out().toString();
    assertThat(loaded).contains("jdk.jfr.FlightRecorder ", "javax.management.MBeanServerFactory ");
    assertThat(loaded).doesNotContain("jdk.jfr.internal.MetadataRepository");
  }
}
