package dev.rockpool.child;

import dev.rockpool.direct.DirectMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Looks at direct memory as a console and a flight recorder do, started after the program. */
final class DirectMonitorProbe {
  private static final int LIMIT = 1 << 20;

  private DirectMonitorProbe() {}

  public static void main(String[] args) throws Exception {
    DirectMemory memory = DirectMemory.global();
    ByteBuffer live = memory.allocate(LIMIT / 2);
    ByteBuffer more = memory.allocate(100);
    printBean();
    try (Recording recording = new Recording()) {
      recording.enable("dev.rockpool.DirectMemoryWait");
      recording.enable("dev.rockpool.DirectMemoryCollection");
      recording.start();
      try {
        memory.allocate(LIMIT / 2);
      } catch (OutOfMemoryError expected) {
        System.out.println("refused=true");
      }
      memory.free(more);
      dropAll(memory);
      recording.dump(Path.of(args[0]));
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(Path.of(args[0]));
    print(events, "dev.rockpool.DirectMemoryWait", "served");
    print(events, "dev.rockpool.DirectMemoryCollection", "tookPlace");
    live.put(0, (byte) 1);
  }

  private static void printBean() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("java.nio:type=BufferPool,name=rockpool-direct");
    while (!server.isRegistered(name)) {
      Thread.yield();
    }
    BufferPoolMXBean pool =
        ManagementFactory.newPlatformMXBeanProxy(server, name.toString(), BufferPoolMXBean.class);
    System.out.println("name=" + pool.getName());
    System.out.println("count=" + pool.getCount());
    System.out.println("capacity=" + pool.getTotalCapacity());
    System.out.println("used=" + pool.getMemoryUsed());
  }

  /** The second one needs what the first one leaves behind. */
  private static void dropAll(DirectMemory memory) {
    memory.allocate(LIMIT / 2);
    memory.allocate(LIMIT / 2);
  }

  /** The figures of the first event with each value of a field. */
  private static void print(List<RecordedEvent> events, String type, String field) {
    for (boolean value : new boolean[] {false, true}) {
      events.stream()
          .filter(event -> event.getEventType().getName().equals(type))
          .filter(event -> event.getBoolean(field) == value)
          .findFirst()
          .ifPresent(event -> print(type + " " + value, event));
    }
  }

  private static void print(String what, RecordedEvent event) {
    for (String field : List.of("bytesAsked", "bytesReserved", "limit", "waiting")) {
      if (event.hasField(field)) {
        System.out.println(what + " " + field + "=" + event.getValue(field));
      }
    }
    System.out.println(what + " took time=" + event.getDuration().isPositive());
    System.out.println(what + " thread=" + event.getThread().getJavaName());
  }
}
