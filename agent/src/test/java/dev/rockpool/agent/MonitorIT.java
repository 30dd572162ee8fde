package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The agent's pool is seen by JMX and JDK Flight Recorder, as that of the library is. */
class MonitorIT {
  private static final String MAIN =
      """
      import module java.management;
      import module jdk.jfr;

      static final String EVENT = "dev.rockpool.PoolStatistics";

      static void main() throws Throwable {
        for (int i = 0; i < 1000; i++) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(i < 900 ? 8 : 20_000);
          }
        }
        divide(100);
        var server = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("dev.rockpool:type=ArenaPool");
        while (!server.isRegistered(name)) {
          Thread.yield();
        }
        System.out.println("jmx: " + server.getAttribute(name, "State")
            + " " + server.getAttribute(name, "ArenasClosed")
            + " " + server.getAttribute(name, "AllocationsByJdk")
            + " " + server.getAttribute(name, "Threads"));
        var events = new SynchronousQueue<RecordedEvent>();
        try (RecordingStream stream = new RecordingStream()) {
          stream.enable(EVENT);
          stream.setReuse(false);
          stream.onEvent(EVENT, events::offer);
          stream.startAsync();
          RecordedEvent event = events.take();
          System.out.println("jfr: " + event.getString("state")
              + " " + event.getLong("arenasClosed") + " " + event.getLong("allocationsByJdk"));
        }
      }

      /** The result is a struct in two registers, for which the linker takes a buffer. */
      static void divide(int times) throws Throwable {
        MemoryLayout result = MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        var linker = Linker.nativeLinker();
        var ldiv = linker.downcallHandle(
            linker.defaultLookup().findOrThrow("ldiv"),
            FunctionDescriptor.of(result, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        SegmentAllocator into = SegmentAllocator.prefixAllocator(Arena.global().allocate(result));
        for (int i = 0; i < times; i++) {
          MemorySegment quotient = (MemorySegment) ldiv.invokeExact(into, 7L, 2L);
        }
      }
      """;

  @Test
  void poolIsShownToJmxAndToTheFlightRecorder() {
    assertThat(
            ChildJvm.withAgent().with("--enable-native-access=ALL-UNNAMED").program(MAIN).lines())
        .containsExactly("jmx: ON 1000 100 1", "jfr: ON 1000 100");
  }
}
