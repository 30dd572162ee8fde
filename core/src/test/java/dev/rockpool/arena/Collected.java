package dev.rockpool.arena;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what the garbage collector brings about. */
public final class Collected {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Collected() {}

  /** Collects garbage until {@code condition} holds; fails if it does not within a minute. */
  public static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("not collected within " + LIMIT + ": " + what);
      }
      System.gc();
      Thread.yield();
    }
  }
}
