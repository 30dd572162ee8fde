package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Looks at the shared pool as a console and a flight recorder do, started after the program. */
final class MonitorProbe {
  private static final int ARENAS = 1000;
  private static final String EVENT = "dev.rockpool.PoolStatistics";

  private MonitorProbe() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < ARENAS; i++) {
      try (Arena arena = Arenas.ofConfined()) {
        arena.allocate(i < ARENAS / 2 ? 8 : 20_000);
      }
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("dev.rockpool:type=ArenaPool");
    while (!server.isRegistered(name)) {
      Thread.yield();
    }
    for (String attribute :
        new String[] {
          "State",
          "SlabByteSize",
          "SlabsPerThread",
          "SharedSlots",
          "ArenasClosed",
          "ServedFromSlab",
          "TooLarge",
          "NoneLeft",
          "BytesHeld",
          "Threads"
        }) {
      System.out.println("jmx " + attribute + "=" + server.getAttribute(name, attribute));
    }
    printEvent(Path.of(args[0]));
  }

  /** Records until there is an event, which is once a second as soon as the pool is shown. */
  private static void printEvent(Path file) throws Exception {
    RecordedEvent event = null;
    while (event == null) {
      try (Recording recording = new Recording()) {
        recording.enable(EVENT);
        recording.start();
        Thread.sleep(100);
        recording.dump(file);
      }
      event =
          RecordingFile.readAllEvents(file).stream()
              .filter(e -> e.getEventType().getName().equals(EVENT))
              .findFirst()
              .orElse(null);
    }
    for (var field : event.getEventType().getFields()) {
      System.out.println("jfr " + field.getName() + "=" + event.getValue(field.getName()));
    }
    System.out.println("jfr label=" + event.getEventType().getLabel());
  }
}
