package dev.rockpool.direct;

/** The one monitor of this JVM. */
final class Monitoring {
  private static final DirectMonitor CURRENT = new JvmMonitor();

  private Monitoring() {}

  static DirectMonitor current() {
    return CURRENT;
  }
}
