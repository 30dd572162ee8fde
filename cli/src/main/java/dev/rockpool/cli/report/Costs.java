package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ThreadKind;
import java.util.List;

/**
 * Costs of an arena, by the JDK and by the pool: figures of docs/performance-notes.md, which a test
 * compares with that page.
 */
final class Costs {
  static final String SOURCE =
      "docs/performance-notes.md of 2026-11-21: Temurin 25.0.3, one core of a virtual machine with"
          + " an Intel Xeon (x86-64), unchanged benchmarks with the agent and without";

  /** Beyond this, in bytes, nothing was measured, and no gain is assumed. */
  static final long MOST_MEASURED = 4096;

  /** Cost of each allocation behind the first, in ns: (three - one) / 2, at 20 bytes. */
  static final double FURTHER_JDK = (99.1 - 30.2) / 2;

  static final double FURTHER_POOL = (8.27 - 2.27) / 2;

  /** ns for an arena with one allocation of so many bytes. */
  record Cost(long bytes, double jdk, double pool) {
    double gain() {
      return jdk - pool;
    }
  }

  static final List<Cost> PLATFORM =
      List.of(
          new Cost(5, 29.9, 2.36),
          new Cost(20, 30.2, 2.27),
          new Cost(64, 33.6, 2.68),
          new Cost(100, 30.7, 5.85),
          new Cost(451, 36.9, 11.6),
          new Cost(1024, 35.5, 15.8),
          new Cost(MOST_MEASURED, 92.5, 33.1));

  static final List<Cost> VIRTUAL =
      List.of(new Cost(5, 28.5, 3.3), new Cost(20, 29.3, 3.35), new Cost(64, 30.1, 4.15));

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
