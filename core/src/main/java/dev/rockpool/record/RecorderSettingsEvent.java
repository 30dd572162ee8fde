package dev.rockpool.record;

import dev.rockpool.arena.ArenaPool;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The JVM and the settings of its pool while arenas were recorded. */
@Name("dev.rockpool.RecorderSettings")
@Label("Recorder Settings")
@Category("Rockpool")
@Description("The JVM and the settings of its pool while arenas were recorded")
@Period("everyChunk")
@StackTrace(false)
final class RecorderSettingsEvent extends Event {
  @Label("Version")
  @Description("Version of Rockpool")
  final String version;

  @Label("Arenas")
  @Description("Whether the agent was asked to pool arenas")
  final boolean arenas;

  @Label("Slab Size")
  @Description("Bytes in a slab; 0 if the pool is off")
  @DataAmount
  final long slabByteSize;

  @Label("Slabs per Thread")
  @Description("Slabs kept for a thread; 0 if the pool is off")
  final int slabsPerThread;

  @Label("State")
  @Description("State of the pool: ON, or why it is off: OFF, DENIED, UNSUITED, CHECKED")
  final String rockpoolState;

  @Label("JDK")
  @Description("Version of the Java runtime")
  final String jdk = Runtime.version().toString();

  @Label("Program")
  @Description("Main class or jar; without arguments, which may hold secrets")
  final String program = System.getProperty("sun.java.command", "not known").split(" ", 2)[0];

  @Label("Host")
  @Description("Operating system, its version, and architecture")
  final String host =
      System.getProperty("os.name")
          + " "
          + System.getProperty("os.version")
          + " "
          + System.getProperty("os.arch");

  @Label("Processors")
  @Description("Processors that the JVM may use")
  final int processors = Runtime.getRuntime().availableProcessors();

  @Label("Processor Time")
  @Description("Processor time of the process since the previous such event; 0 if not known")
  @Timespan(Timespan.NANOSECONDS)
  final long processorTime;

  @Label("Threads")
  @Description("Threads made since the previous such event")
  final long threads;

  RecorderSettingsEvent(String version, boolean arenas, long processorTime, long threads) {
    this.processorTime = processorTime;
    this.threads = threads;
    ArenaPool pool = ArenaPool.shared();
    this.version = version;
    this.arenas = arenas;
    slabByteSize = pool.slabByteSize();
    slabsPerThread = pool.slabsPerThread();
    rockpoolState = pool.statistics().state().name();
  }
}
