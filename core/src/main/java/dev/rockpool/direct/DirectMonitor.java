package dev.rockpool.direct;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.MBeans;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
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
      return memory.reserved();
    }

    @Override
    public long getMemoryUsed() {
      return memory.budget().inUse();
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
    void end(Budget budget, int waiting, boolean succeeded);
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
    public void end(Budget budget, int inLine, boolean succeeded) {
      bytesReserved = budget.inUse();
      limit = budget.limit();
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
    public void end(Budget budget, int inLine, boolean succeeded) {
      bytesReserved = budget.inUse();
      limit = budget.limit();
      waiting = inLine;
      tookPlace = succeeded;
      commit();
    }
  }
}
