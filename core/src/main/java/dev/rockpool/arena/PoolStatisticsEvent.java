package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** {@link PoolStatistics} of the shared pool as an event of JDK Flight Recorder. */
@Name("dev.rockpool.PoolStatistics")
@Label("Arena Pool Statistics")
@Category("Rockpool")
@Description("Arenas closed so far, by how they were served, and native memory of the shared pool")
@Period("1 s")
@StackTrace(false)
final class PoolStatisticsEvent extends Event {
  /** Keeps the hook reachable: the JDK may hold it weakly, see {@link Callbacks}. */
  private static final Runnable EMIT = PoolStatisticsEvent::emit;

  @Label("State")
  @Description("ON, or why arenas are not pooled: OFF, DENIED, UNSUITED, CHECKED")
  final String state;

  @Label("Arenas Closed")
  @Description("Arenas closed that had allocated, since the start of the JVM")
  final long arenasClosed;

  @Label("Served From Slab")
  @Description("Arenas all of whose allocations came from the pool")
  final long servedFromSlab;

  @Label("Too Large")
  @Description("Arenas that used the fallback: they asked for more than the pool has")
  final long tooLarge;

  @Label("None Left")
  @Description("Arenas that used the fallback: no slab was free")
  final long noneLeft;

  @Label("First of Thread")
  @Description("Arenas that the agent left to the JDK: they were among the first of their thread")
  final long firstOfThread;

  @Label("Bytes Held")
  @Description("Native memory of the pool, in use or free")
  @DataAmount
  final long bytesHeld;

  @Label("Threads")
  @Description("Platform threads that have slabs")
  final int threads;

  @Label("Overruns")
  @Description("Segments that native code was found to have written beside, if arenas are checked")
  final long overruns;

  @Label("Late Writes")
  @Description("Segments found to have been written to after close, if arenas are checked")
  final long lateWrites;

  PoolStatisticsEvent(PoolStatistics statistics) {
    state = statistics.state().name();
    arenasClosed = statistics.arenasClosed();
    servedFromSlab = statistics.servedFromSlab();
    tooLarge = statistics.tooLarge();
    noneLeft = statistics.noneLeft();
    firstOfThread = statistics.firstOfThread();
    bytesHeld = statistics.bytesHeld();
    threads = statistics.threads();
    overruns = statistics.overruns();
    lateWrites = statistics.lateWrites();
  }

  /** Has the event recorded once each period. Call only after the recorder was started. */
  static void register() {
    FlightRecorder.addPeriodicEvent(
        PoolStatisticsEvent.class, Callbacks.weakly(Runnable.class, EMIT));
  }

  private static void emit() {
    new PoolStatisticsEvent(Pool.Shared.POOL.statistics()).commit();
  }
}
