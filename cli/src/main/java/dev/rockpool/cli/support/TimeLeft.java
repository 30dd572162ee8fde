package dev.rockpool.cli.support;

import java.time.Duration;

/** Foretells when a row of steps that take about equally long will be over. */
public final class TimeLeft {
  private final int steps;
  private final long startNanos;
  private int done;

  public TimeLeft(int steps, long nowNanos) {
    this.steps = steps;
    this.startNanos = nowNanos;
  }

  /** One more step is done. */
  public void step() {
    done++;
  }

  /** In words, for the end of a line of news; empty where there is nothing to foretell. */
  public String text(long nowNanos) {
    if (done == 0 || done >= steps) {
      return "";
    }
    double perStep = (double) (nowNanos - startNanos) / done;
    long left = (long) (perStep * (steps - done));
    return ", about " + text(Duration.ofNanos(left)) + " left";
  }

  /** A duration as people say it: 40 s, 7 min, 2 h 5 min. */
  public static String text(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1000.0);
    if (seconds < 100) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 100 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
