package dev.rockpool.arena;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * Shows the shared pool to JDK Flight Recorder and to JMX, each as soon as the program or somebody
 * who looks at it has started that: starting them costs a tenth of a second, which is not ours to
 * spend.
 *
 * <p>The modules of both are optional; where one is missing there is nobody to show the pool to. So
 * their classes are named in methods that are called here, and nowhere in this class itself.
 */
public final class PoolMonitor implements BooleanSupplier {
  private final Channel recorder = new Channel(PoolMonitor::showToRecorder);
  private final Channel jmx = new Channel(PoolMonitor::showToJmx);

  /** Looks whether there is somebody to show the pool to; to be called once in a while. */
  public PoolMonitor() {}

  @Override
  public boolean getAsBoolean() {
    boolean recorderLeft = recorder.isLeft();
    boolean jmxLeft = jmx.isLeft();
    return recorderLeft || jmxLeft;
  }

  /** One of the two, until it is done or turns out to be impossible. */
  private static final class Channel {
    private final Callable<Boolean> show;
    private boolean left = true;

    Channel(Callable<Boolean> show) {
      this.show = show;
    }

    boolean isLeft() {
      try {
        left = left && !show.call();
      } catch (LinkageError | Exception impossible) {
        left = false;
      }
      return left;
    }
  }

  private static boolean showToRecorder() {
    return PoolStatisticsEvent.register();
  }

  private static boolean showToJmx() throws Exception {
    return SharedPoolMXBean.register();
  }
}
