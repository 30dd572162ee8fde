package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.concurrent.SynchronousQueue;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

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
          "BlockByteSize",
          "BlocksPerThread",
          "ArenasClosed",
          "BlocksAllocated",
          "AllocationsByJdk",
          "BytesKept",
          "Threads",
          "Overruns",
          "LateWrites"
        }) {
      System.out.println("jmx " + attribute + "=" + server.getAttribute(name, attribute));
    }
    printEvent();
  }

  /** There is one once a second as soon as the pool is shown. */
  private static void printEvent() throws InterruptedException {
    SynchronousQueue<RecordedEvent> events = new SynchronousQueue<>();
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable(EVENT);
      stream.setReuse(false);
      stream.onEvent(EVENT, events::offer);
      stream.startAsync();
      print(events.take());
    }
  }

  private static void print(RecordedEvent event) {
    for (var field : event.getEventType().getFields()) {
      System.out.println("jfr " + field.getName() + "=" + event.getValue(field.getName()));
    }
    System.out.println("jfr label=" + event.getEventType().getLabel());
  }
}
