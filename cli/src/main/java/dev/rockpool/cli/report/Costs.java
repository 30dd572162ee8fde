package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ThreadKind;
import java.util.List;

/**
 * What an arena costs by the JDK and by the pool: figures of docs/performance.md, which a test
 * compares with that page.
 */
final class Costs {
  static final String SOURCE =
      "docs/performance.md of 2026-11-21: Temurin 25.0.3, one core of a virtual machine with an"
          + " Intel Xeon (x86-64), unchanged benchmarks with the agent and without";

  /** Beyond this, in bytes, nothing was measured, and no gain is assumed. */
  static final long MOST_MEASURED = 4096;

  /** What each allocation behind the first costs, in ns: (three - one) / 2, at 20 bytes. */
  static final double FURTHER_JDK = (114 - 28.4) / 2;

  static final double FURTHER_POOL = (4.52 - 3.64) / 2;

  /** ns for an arena with one allocation of so many bytes. */
  record Cost(long bytes, double jdk, double pool) {
    double gain() {
      return jdk - pool;
    }
  }

  static final List<Cost> PLATFORM =
      List.of(
          new Cost(5, 29.5, 3.58),
          new Cost(20, 28.4, 3.64),
          new Cost(64, 29.8, 2.78),
          new Cost(100, 31.8, 4.27),
          new Cost(451, 34.3, 12.5),
          new Cost(1024, 36.0, 14.8),
          new Cost(MOST_MEASURED, 85.9, 33.9));

  static final List<Cost> VIRTUAL =
      List.of(new Cost(5, 29.5, 4.1), new Cost(20, 30.3, 4.2), new Cost(64, 31.3, 5.7));

  private Costs() {}

  /**
   * The ns that the pool saves for an arena with one allocation of {@code bytes}. Between sizes
   * that were measured it is interpolated. On virtual threads nothing was measured beyond 64 bytes:
   * there it is that of a platform thread.
   */
  static double gain(ThreadKind kind, long bytes) {
    if (bytes <= 0 || bytes > MOST_MEASURED) {
      return 0;
    }
    List<Cost> costs =
        kind == ThreadKind.VIRTUAL && bytes <= VIRTUAL.getLast().bytes() ? VIRTUAL : PLATFORM;
    int next = 0;
    while (costs.get(next).bytes() < bytes) {
      next++;
    }
    Cost above = costs.get(next);
    Cost below = costs.get(Math.max(0, next - 1));
    double way = next == 0 ? 0 : (double) (bytes - below.bytes()) / (above.bytes() - below.bytes());
    return below.gain() + way * (above.gain() - below.gain());
  }
}
