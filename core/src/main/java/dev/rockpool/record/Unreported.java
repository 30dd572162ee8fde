package dev.rockpool.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Turns counts since the start of the JVM into counts since the last report. Each kind of event has
 * its own object, because each may be enabled without the other.
 */
public final class Unreported {
  private final Recorder recorder;
  private Map<Long, Tally> reported = Map.of();

  /** Reports the counts of {@code recorder}, the first time from its first arena on. */
  public Unreported(Recorder recorder) {
    this.recorder = recorder;
  }

  /** Returns the non-empty tallies since the last call, one for each shape. */
  public synchronized List<Tally> next() {
    Map<Long, Tally> now = recorder.read();
    List<Tally> next = new ArrayList<>();
    for (Tally tally : now.values()) {
      Tally before = reported.get(tally.shape());
      Tally since = before == null ? tally : tally.since(before);
      if (!since.isEmpty()) {
        next.add(since);
      }
    }
    reported = now;
    return next;
  }
}
