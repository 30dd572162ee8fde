package dev.rockpool.demo;

import java.time.Duration;

/**
 * How long a measurement takes.
 *
 * @param warmUp how long to call before anything counts, so that all is compiled
 * @param batches how many times to read the clock
 * @param batch how long to call in between, about
 */
public record Pace(Duration warmUp, int batches, Duration batch) {
  public static final Pace FULL = new Pace(Duration.ofMillis(800), 200, Duration.ofMillis(2));

  /** Enough to see that it works; the figures mean little. */
  public static final Pace QUICK = new Pace(Duration.ofMillis(150), 20, Duration.ofMillis(1));
}
