package dev.rockpool.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes of figures since the start of the JVM those since the last look. Each kind of event has its
 * own, as each may be switched on without the other.
 */
public final class Unreported {
  private final Recorder recorder;
  private Map<Long, Tally> reported = Map.of();

  /** For what {@code recorder} counts from its first arena on. */
  public Unreported(Recorder recorder) {
    this.recorder = recorder;
  }

  /** What was counted since the last call, by shape, where there is anything. */
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
