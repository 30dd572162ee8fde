package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.MBeans;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.function.BooleanSupplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * Shows the shared pool to JMX and to JDK Flight Recorder, each as soon as the program or an
 * observer has started it. Rockpool starts neither, because starting is slow.
 *
 * <p>The modules of both are optional. So classes that need one are nested here, and named only in
 * methods that catch {@link LinkageError}, never in fields or signatures of this class.
 */
final class PoolMonitor implements BooleanSupplier {
  private boolean awaitsRecorder = true;
  private boolean awaitsJmx = true;

  /** Returns whether to call again: one of the two is neither done nor impossible. */
  @Override
  public boolean getAsBoolean() {
    awaitsRecorder = awaitsRecorder && !tryRecorder();
    awaitsJmx = awaitsJmx && !tryJmx();
    return awaitsRecorder || awaitsJmx;
  }

  /** Returns true once that is done, or impossible; likewise the next method. */
  private static boolean tryRecorder() {
    try {
      // Asked first, because loading a class of events starts half of the recorder.
      if (FlightRecorder.isInitialized()) {
        PoolStatisticsEvent.register();
        return true;
      }
      return false;
    } catch (LinkageError | RuntimeException impossible) {
      return true;
    }
  }

  private static boolean tryJmx() {
    try {
      return MBeans.register(
          beanOf(ArenaPool.shared()), ArenaPoolMXBean.class, ArenaPoolMXBean.NAME);
    } catch (LinkageError | Exception impossible) {
      return true;
    }
  }

  /** Returns an MBean each of whose attributes is a component of {@link PoolStatistics}. */
  private static ArenaPoolMXBean beanOf(ArenaPool pool) {
    Class<?> type = ArenaPoolMXBean.class;
    InvocationHandler bean =
        (_, method, arguments) ->
            method.getDeclaringClass().equals(type)
                ? component(pool.statistics(), method.getName().substring("get".length()))
                : method.invoke(pool, arguments);
    return (ArenaPoolMXBean)
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, bean);
  }

  private static Object component(PoolStatistics of, String attribute)
      throws ReflectiveOperationException {
    for (RecordComponent each : PoolStatistics.class.getRecordComponents()) {
      if (each.getName().equalsIgnoreCase(attribute)) {
        Object value = each.getAccessor().invoke(of);
        return value instanceof PoolStatistics.State state ? state.name() : value;
      }
    }
    throw new NoSuchMethodException(attribute);
  }

  /** {@link PoolStatistics} of the shared pool as an event of JDK Flight Recorder. */
  @Name("dev.rockpool.PoolStatistics")
  @Label("Arena Pool Statistics")
  @Category("Rockpool")
  @Description("Arenas, blocks and native memory of the shared pool")
  @Period("1 s")
  @StackTrace(false)
  static final class PoolStatisticsEvent extends Event {
    @Label("State")
    @Description("ON, or why arenas are not pooled: OFF, DENIED, UNSUITED, CHECKED")
    final String state;

    @Label("Arenas Closed")
    @Description("Arenas closed after they had used a block, since the start of the JVM")
    final long arenasClosed;

    @Label("Blocks Allocated")
    @Description("Blocks that were allocated, because none was kept for an arena")
    final long blocksAllocated;

    @Label("Allocations by JDK")
    @Description("Allocations that the JDK served, because no block had room for them")
    final long allocationsByJdk;

    @Label("Bytes Kept")
    @Description("Native memory in blocks that no arena uses")
    @DataAmount
    final long bytesKept;

    @Label("Threads")
    @Description("Live platform threads that have kept blocks")
    final int threads;

    @Label("Overruns")
    @Description(
        "Segments that native code was found to have written beside, if arenas are checked")
    final long overruns;

    @Label("Late Writes")
    @Description("Segments found to have been written to after close, if arenas are checked")
    final long lateWrites;

    PoolStatisticsEvent(PoolStatistics statistics) {
      state = statistics.state().name();
      arenasClosed = statistics.arenasClosed();
      blocksAllocated = statistics.blocksAllocated();
      allocationsByJdk = statistics.allocationsByJdk();
      bytesKept = statistics.bytesKept();
      threads = statistics.threads();
      overruns = statistics.overruns();
      lateWrites = statistics.lateWrites();
    }

    /** Has the event recorded once each period. Call only after the recorder was started. */
    static void register() {
      FlightRecorder.addPeriodicEvent(
          PoolStatisticsEvent.class, Callbacks.weakly(Runnable.class, PoolStatisticsEvent::emit));
    }

    private static void emit() {
      new PoolStatisticsEvent(ArenaPool.shared().statistics()).commit();
    }
  }
}
