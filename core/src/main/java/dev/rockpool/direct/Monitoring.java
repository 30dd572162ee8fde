package dev.rockpool.direct;

import org.jspecify.annotations.Nullable;

/**
 * The monitor of this JVM. Under the agent these classes are in java.base, which has neither JMX
 * nor JDK Flight Recorder, so there the monitor is brought from outside.
 *
 * <p>Not for programs, and public only where the agent defines it.
 */
final class Monitoring {
  private static volatile DirectMonitor current = first();

  private Monitoring() {}

  static DirectMonitor current() {
    return current;
  }

  /** Replaces the monitor. To be called before the global direct memory is first used. */
  public static void use(DirectMonitor monitor) {
    current = monitor;
  }

  private static DirectMonitor first() {
    if (Monitoring.class.getModule() == Object.class.getModule()) {
      return new Nobody();
    }
    return new JvmMonitor();
  }

  /** Until one is brought, nobody looks. */
  private static final class Nobody implements DirectMonitor {
    @Override
    public long jvmLimit() {
      return 0;
    }

    @Override
    public boolean show(Figures figures) {
      return true;
    }

    @Override
    public @Nullable Event beginWait(long bytesAsked) {
      return null;
    }

    @Override
    public @Nullable Event beginCollection() {
      return null;
    }
  }
}
