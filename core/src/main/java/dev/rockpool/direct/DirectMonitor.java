package dev.rockpool.direct;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.MBeans;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory's use of JMX and JDK Flight Recorder. Their modules are optional. Therefore classes
 * that need one of these modules are nested here and named in methods only, which fail where the
 * module is missing.
 */
final class DirectMonitor {
  private DirectMonitor() {}

  /**
   * Returns the value of {@code -XX:MaxDirectMemorySize} in bytes; 0 if not given or not readable.
   */
  static long jvmLimit() {
    try {
      return JvmLimit.read();
    } catch (LinkageError | ServiceConfigurationError | RuntimeException unknown) {
      return 0;
    }
  }

  private static final class JvmLimit {
    static long read() {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
    }
  }

  /** Shows a direct memory to JMX once the program, or a tool that attaches, has started JMX. */
  record Showing(DirectMemory memory) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      try {
        return !BufferPool.register(memory);
      } catch (LinkageError | Exception impossible) {
        return false;
      }
    }
  }

  /** Records the agent's limit once the program, or a tool that attaches, has started JFR. */
  record Recording(DirectMemory memory) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      try {
        return !LimitEvent.register(memory);
      } catch (LinkageError | RuntimeException impossible) {
        return false;
      }
    }
  }

  /** Direct memory beside the JVM's own buffer pools, where monitoring tools look for them. */
  private record BufferPool(DirectMemory memory) implements BufferPoolMXBean {
    private static final String NAME = "rockpool-direct";
    private static final String OBJECT_NAME = "java.nio:type=BufferPool,name=" + NAME;

    /** Returns false if a later call must try again. */
    static boolean register(DirectMemory memory) throws JMException {
      return MBeans.register(new BufferPool(memory), BufferPoolMXBean.class, OBJECT_NAME);
    }

    @Override
    public ObjectName getObjectName() {
      try {
        return new ObjectName(OBJECT_NAME);
      } catch (JMException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    @Override
    public String getName() {
      return NAME;
    }

    @Override
    public long getCount() {
      return Blocks.count(memory);
    }

    @Override
    public long getTotalCapacity() {
      return memory.bytesOfBuffers();
    }

    @Override
    public long getMemoryUsed() {
      return memory.bytesOfBuffers() + memory.keptMemory().kept();
    }
  }

  /** Begins the event of a request that waits; returns null if the recorder was not started. */
  static @Nullable Event beginWait(long bytesAsked) {
    return isRecorderStarted() ? new WaitEvent(bytesAsked) : null;
  }

  /** Begins the event of a requested collection, as {@link #beginWait}. */
  static @Nullable Event beginCollection() {
    return isRecorderStarted() ? new CollectionEvent() : null;
  }

  /** Whether the program has started the recorder; we do not, because that takes 0.1 s. */
  private static boolean isRecorderStarted() {
    try {
      return FlightRecorder.isAvailable() && FlightRecorder.isInitialized();
    } catch (NoClassDefFoundError noModule) {
      return false;
    }
  }

  /** An event that has begun. */
  interface Event {
    /** Writes the event. Each kind of event uses some of the figures. */
    void end(DirectMemory memory, int waiting, boolean succeeded);
  }

  @Name("dev.rockpool.DirectMemoryWait")
  @Label("Direct Memory Wait")
  @Category("Rockpool")
  @Description("A thread waited for direct memory, because the limit was reached")
  static final class WaitEvent extends jdk.jfr.Event implements Event {
    @Label("Bytes Asked")
    @DataAmount
    long bytesAsked;

    @Label("Bytes Reserved")
    @Description("When the wait was over, the bytes asked for included if they were reserved")
    @DataAmount
    long bytesReserved;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Served")
    @Description("Whether the bytes were reserved; else the thread got an OutOfMemoryError")
    boolean served;

    WaitEvent(long bytesAsked) {
      this.bytesAsked = bytesAsked;
      begin();
    }

    @Override
    public void end(DirectMemory memory, int inLine, boolean succeeded) {
      bytesReserved = memory.reserved();
      limit = memory.limit();
      served = succeeded;
      commit();
    }
  }

  @Name("dev.rockpool.DirectMemoryCollection")
  @Label("Direct Memory Collection")
  @Category("Rockpool")
  @Description("A garbage collection was asked for, because direct memory had reached its limit")
  static final class CollectionEvent extends jdk.jfr.Event implements Event {
    @Label("Bytes Reserved")
    @Description("When the collection was over; memory that it found is freed afterwards")
    @DataAmount
    long bytesReserved;

    @Label("Limit")
    @DataAmount
    long limit;

    @Label("Waiting")
    @Description("Threads that waited for it")
    int waiting;

    @Label("Took Place")
    @Description("False where explicit collections are off (-XX:+DisableExplicitGC)")
    boolean tookPlace;

    CollectionEvent() {
      begin();
    }

    @Override
    public void end(DirectMemory memory, int inLine, boolean succeeded) {
      bytesReserved = memory.reserved();
      limit = memory.limit();
      waiting = inLine;
      tookPlace = succeeded;
      commit();
    }
  }

  @Name("dev.rockpool.Limit")
  @Label("Native Memory Limit")
  @Category("Rockpool")
  @Description("Native memory under the agent's option limit, by what holds it")
  @Period("1 s")
  @StackTrace(false)
  static final class LimitEvent extends jdk.jfr.Event {
    @Label("Limit")
    @DataAmount
    final long limit;

    @Label("In Use")
    @Description("The sum of all kinds")
    @DataAmount
    final long inUse;

    @Label("Highest")
    @Description("Most bytes in use at once")
    @DataAmount
    final long highest;

    @Label("Refused")
    @Description("Requests beyond the limit: refused, or with limit.action=warn passed")
    final long refused;

    @Label("Confined Arenas")
    @Description("Beyond the pool")
    @DataAmount
    final long confined;

    @Label("Shared Arenas")
    @DataAmount
    final long shared;

    @Label("Automatic Arenas")
    @DataAmount
    final long automatic;

    @Label("Global Arena")
    @DataAmount
    final long global;

    @Label("Direct Buffers")
    @DataAmount
    final long direct;

    @Label("Unsafe")
    @DataAmount
    final long unsafe;

    @Label("Malloc")
    @DataAmount
    final long malloc;

    @Label("Pool")
    @Description("All blocks, kept ones included")
    @DataAmount
    final long pool;

    @Label("Kept")
    @Description("Freed memory that is kept for the next buffer")
    @DataAmount
    final long kept;

    private LimitEvent(DirectMemory memory) {
      Budget budget = memory.budget();
      Map<String, Long> bytes = memory.takenByKind();
      limit = budget.limit();
      inUse = budget.taken();
      highest = budget.highest();
      refused = budget.refused();
      confined = bytes.getOrDefault("confined", 0L);
      shared = bytes.getOrDefault("shared", 0L);
      automatic = bytes.getOrDefault("automatic", 0L);
      global = bytes.getOrDefault("global", 0L);
      direct = bytes.getOrDefault("direct", 0L);
      unsafe = bytes.getOrDefault("unsafe", 0L);
      malloc = bytes.getOrDefault("malloc", 0L);
      pool = bytes.getOrDefault("pool", 0L);
      kept = bytes.getOrDefault("kept", 0L);
    }

    /** Has the event recorded; returns false if the recorder was not started. */
    static boolean register(DirectMemory memory) {
      if (!isRecorderStarted()) {
        return false;
      }
      FlightRecorder.addPeriodicEvent(LimitEvent.class, () -> new LimitEvent(memory).commit());
      return true;
    }
  }
}
