package dev.rockpool.arena;

import dev.rockpool.internal.Foundations;
import java.util.function.BooleanSupplier;
import jdk.jfr.FlightRecorder;

/**
 * Shows a pool to JMX, and the shared pool to JDK Flight Recorder, each as soon as the program or
 * an observer has started it. Rockpool starts neither, because starting is slow.
 *
 * <p>The modules of both are optional. So their classes are used only in methods that catch {@link
 * LinkageError}, never in fields or signatures of this class.
 */
final class PoolMonitor implements BooleanSupplier {
  private final Pool pool;
  private final String name;
  private boolean recorderLeft;
  private boolean jmxLeft = true;

  /**
   * @param name of the MBean
   */
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
      return !PoolBean.register(pool, name);
    } catch (LinkageError | Exception impossible) {
      return false;
    }
  }
}
