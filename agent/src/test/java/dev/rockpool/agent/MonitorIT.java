package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's pool is seen by JMX and JDK Flight Recorder, as that of the library is. */
class MonitorIT {
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;
      import java.lang.management.ManagementFactory;
      import java.util.concurrent.SynchronousQueue;
      import javax.management.ObjectName;
      import jdk.jfr.consumer.RecordedEvent;
      import jdk.jfr.consumer.RecordingStream;

      public class Main {
        static final String EVENT = "dev.rockpool.PoolStatistics";

        public static void main(String[] args) throws Exception {
          for (int i = 0; i < 1000; i++) {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(i < 900 ? 8 : 20_000);
            }
          }
          var server = ManagementFactory.getPlatformMBeanServer();
          var name = new ObjectName("dev.rockpool:type=ArenaPool");
          while (!server.isRegistered(name)) {
            Thread.yield();
          }
          System.out.println("jmx: " + server.getAttribute(name, "State")
              + " " + server.getAttribute(name, "ServedFromSlab")
              + " " + server.getAttribute(name, "TooLarge"));
          var events = new SynchronousQueue<RecordedEvent>();
          try (RecordingStream stream = new RecordingStream()) {
            stream.enable(EVENT);
            stream.setReuse(false);
            stream.onEvent(EVENT, events::offer);
            stream.startAsync();
            RecordedEvent event = events.take();
            System.out.println("jfr: " + event.getString("state")
                + " " + event.getLong("servedFromSlab") + " " + event.getLong("tooLarge"));
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void poolIsShownToJmxAndToTheFlightRecorder() {
    Sources.compileTo(directory, MAIN);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly("jmx: ON 900 100", "jfr: ON 900 100");
  }
}
