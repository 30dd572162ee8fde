package dev.rockpool.cli.report.recording;

/** How an arena was served. */
public enum Served {
  /** From the pool. */
  SLAB,
  /** In a JVM with the pool, but at least once not from it. */
  REGULAR,
  /** By the JDK: the pool was off. */
  JDK
}
