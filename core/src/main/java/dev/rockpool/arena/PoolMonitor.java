package dev.rockpool.arena;

import java.util.function.BooleanSupplier;
import jdk.jfr.FlightRecorder;

/**
 * Shows the shared pool to JDK Flight Recorder and to JMX, each as soon as the program or somebody
 * who looks at it has started that: starting them costs a tenth of a second, which is not ours to
 * spend.
 *
 * <p>The modules of both are optional; where one is missing there is nobody to show the pool to. So
 * their classes are named in methods that are called here, and nowhere in this class itself.
 */
public final class PoolMonitor implements BooleanSupplier {
  private boolean recorderLeft = true;
  private boolean jmxLeft = true;

  /** Looks whether there is somebody to show the pool to; to be called once in a while. */
  public PoolMonitor() {}

  /** Says whether one of the two is left: not done yet, and not impossible. */
  @Override
  public boolean getAsBoolean() {
    recorderLeft = recorderLeft && isRecorderLeft();
    jmxLeft = jmxLeft && isJmxLeft();
    return recorderLeft || jmxLeft;
  }

  private static boolean isRecorderLeft() {
    try {
      // First, as the JVM starts half of the recorder for a class of events.
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
