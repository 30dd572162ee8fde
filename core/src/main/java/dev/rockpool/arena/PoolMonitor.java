package dev.rockpool.arena;

import java.util.function.BooleanSupplier;
import jdk.jfr.FlightRecorder;

/**
 * Shows the shared pool to JDK Flight Recorder and to JMX, each as soon as the program or an
 * observer has started it. Rockpool starts neither, because starting is slow.
 *
 * <p>The modules of both are optional. So their classes are used only in methods that catch {@link
 * LinkageError}, never in fields or signatures of this class.
 */
final class PoolMonitor implements BooleanSupplier {
  private boolean recorderLeft = true;
  private boolean jmxLeft = true;

  /** Returns whether to call again: one of the two is neither done nor impossible. */
  @Override
  public boolean getAsBoolean() {
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

  private static boolean isJmxLeft() {
    try {
      return !SharedPoolMXBean.register();
    } catch (LinkageError | Exception impossible) {
      return false;
    }
  }
}
