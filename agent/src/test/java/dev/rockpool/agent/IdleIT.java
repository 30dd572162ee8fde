package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent's threads in a program that nobody looks at. */
class IdleIT {
  /** Answers once both of our threads sleep, so that a look that has begun is over. */
  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;
      import java.util.Scanner;

      public class Main {
        public static void main(String[] args) throws InterruptedException {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
          }
          System.out.println("ready");
          new Scanner(System.in).nextLine();
          while (sleeping() < 2) {
            Thread.sleep(10);
          }
          System.out.println("over");
        }

        static long sleeping() {
          return Thread.getAllStackTraces().keySet().stream()
              .filter(each -> each.getName().equals("rockpool-agent")
                  || each.getName().equals("rockpool-housekeeper"))
              .filter(each -> each.getState() == Thread.State.TIMED_WAITING)
              .count();
        }
      }
      """;

  /** The first classes of a look for the recorder and for JMX. */
  private static final Set<String> LOOK =
      Set.of("jdk.jfr.FlightRecorder", "javax.management.MBeanServerFactory");

  @TempDir private Path folder;

  /** A class of events alone has the JVM start half of the recorder: 0.3 s of processor time. */
  @Test
  @Timeout(60)
  void recorderIsLeftAlone() throws Exception {
    Sources.compileTo(folder, List.of(), PROGRAM);
    Path log = folder.resolve("classes.log");

    try (ChildJvm.Running program =
        ChildJvm.withAgent().with(ClassLoadingLog.option(log)).classPath(folder).start("Main")) {
      assertThat(program.answer()).isEqualTo("ready");
      while (!ClassLoadingLog.read(log).sources().keySet().containsAll(LOOK)) {
        Thread.sleep(10);
      }
      assertThat(program.ask("look")).isEqualTo("over");
      program.end().quietOutput();
    }

    assertThat(ClassLoadingLog.read(log).sources())
        .doesNotContainKey("jdk.jfr.internal.MetadataRepository");
  }
}
