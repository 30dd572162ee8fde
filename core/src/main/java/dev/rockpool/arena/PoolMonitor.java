package dev.rockpool.arena;

import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.MBeans;
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
import org.jspecify.annotations.Nullable;

/**
 * Shows a pool to JMX, and the shared pool to JDK Flight Recorder, each as soon as the program or
 * an observer has started it. Rockpool starts neither, because starting is slow.
 *
 * <p>The modules of both are optional. So classes that need one are nested here, and named only in
 * methods that catch {@link LinkageError}, never in fields or signatures of this class.
 */
final class PoolMonitor implements BooleanSupplier {
  private final Pool pool;
  private final String name;
  private boolean recorderLeft;
  private boolean jmxLeft = true;

  PoolMonitor(Pool pool, String name) {
    this.pool = pool;
    this.name = name;
    recorderLeft = name.equals(ArenaPoolMXBean.NAME);
  }

  /** Returns whether to call again: one of the two is neither done nor impossible. */
  @Override
  public boolean getAsBoolean() {
    if (!Foundations.hasHeap()) {
      return true; // classes of JMX or the recorder would stay broken
    }
    recorderLeft = recorderLeft && isRecorderLeft();
    jmxLeft = jmxLeft && isJmxLeft();
    return recorderLeft || jmxLeft;
  }

  private static boolean isRecorderLeft() {
    try {
      // Asked first, because loading a class of events starts half of the recorder.
      if (FlightRecorder.isInitialized()) {
        PoolStatisticsEvent.register();
        return false;
      }
      return true;
    } catch (LinkageError | RuntimeException impossible) {
      return false;
    }
  }

  private boolean isJmxLeft() {
    try {
      return !MBeans.register(new PoolBean(pool), ArenaPoolMXBean.class, name);
    } catch (LinkageError | Exception impossible) {
      return false;
    }
  }

  private static final class PoolBean implements ArenaPoolMXBean {
    /** The life of a snapshot: making one takes locks and frees memory of ended threads. */
    private static final long SNAPSHOT_NANOS = 100_000_000;

    private final Pool pool;
    private @Nullable PoolStatistics snapshot;
    private long taken;

    private PoolBean(Pool pool) {
      this.pool = pool;
    }

    /** Returns a snapshot for the attributes that an observer reads one by one. */
    private synchronized PoolStatistics statistics() {
      long now = System.nanoTime();
      PoolStatistics known = snapshot;
      if (known == null || now - taken > SNAPSHOT_NANOS) {
        known = pool.statistics();
        snapshot = known;
        taken = now;
      }
      return known;
    }

    @Override
    public String getState() {
      return statistics().state().name();
    }

    @Override
    public long getSlabByteSize() {
      return pool.slabByteSize();
    }

    @Override
    public int getSlabsPerThread() {
      return pool.slabsPerThread();
    }

    @Override
    public int getSharedSlots() {
      return pool.shared().slots();
    }

    @Override
    public boolean isServingVirtualThreads() {
      return pool.slabByteSize() != 0 && !pool.admission().leavesVirtualThreads;
    }

    @Override
    public long getArenasClosed() {
      return statistics().arenasClosed();
    }

    @Override
    public long getServedFromSlab() {
      return statistics().servedFromSlab();
    }

    @Override
    public long getTooLarge() {
      return statistics().tooLarge();
    }

    @Override
    public long getNoneLeft() {
      return statistics().noneLeft();
    }

    @Override
    public long getFirstOfThread() {
      return statistics().firstOfThread();
    }

    @Override
    public long getBytesHeld() {
      return statistics().bytesHeld();
    }

    @Override
    public int getThreads() {
      return statistics().threads();
    }

    @Override
    public long getOverruns() {
      return statistics().overruns();
    }

    @Override
    public long getLateWrites() {
      return statistics().lateWrites();
    }
  }

  /** {@link PoolStatistics} of the shared pool as an event of JDK Flight Recorder. */
  @Name("dev.rockpool.PoolStatistics")
  @Label("Arena Pool Statistics")
  @Category("Rockpool")
  @Description(
      "Arenas closed so far, by how they were served, and native memory of the shared pool")
  @Period("1 s")
  @StackTrace(false)
  static final class PoolStatisticsEvent extends Event {
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
    @Description(
        "Segments that native code was found to have written beside, if arenas are checked")
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
}
