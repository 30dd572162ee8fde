package dev.rockpool.direct;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The monitor of a JVM, with what it has of JMX and JDK Flight Recorder. Their modules are
 * optional, so classes that need one are named in methods only, which fail where it is missing.
 */
final class JvmMonitor implements DirectMonitor {
  JvmMonitor() {}

  @Override
  public long jvmLimit() {
    return JvmLimit.flag();
  }

  @Override
  public boolean show(Figures figures) {
    try {
      return BufferPoolBean.register(figures);
    } catch (LinkageError | Exception impossible) {
      return true;
    }
  }

  @Override
  public @Nullable Event beginWait(long bytesAsked) {
    return isRecorderRunning() ? SlowReservationEvent.started(bytesAsked) : null;
  }

  @Override
  public @Nullable Event beginCollection() {
    return isRecorderRunning() ? ForcedCollectionEvent.started() : null;
  }

  /** Starting the recorder costs a tenth of a second, which is not ours to spend. */
  private static boolean isRecorderRunning() {
    try {
      return FlightRecorder.isAvailable() && FlightRecorder.isInitialized();
    } catch (LinkageError noModule) {
      return false;
    }
  }
}
