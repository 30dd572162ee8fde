package dev.rockpool.malloc;

import dev.rockpool.malloc.Origin.Category;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The pages that C code was the first to touch, by line: recordings of async-profiler, added up.
 * Nothing tells when such a page is given back, so this is no live memory; if it is touched again,
 * it counts again. Not for several threads at once.
 */
public final class PageFaults {
  private final Predicate<String> isLibrary;
  private final long pageBytes;
  private final long interval;

  /** Without stacks, of which a long recording has any number. */
  private final Map<Origin, long[]> sums = new HashMap<>();

  /**
   * Without faults.
   *
   * @param isLibrary whether a class, by its binary name, allocates for others
   * @param interval faults from one sample to the next
   */
  public PageFaults(Predicate<String> isLibrary, long pageBytes, long interval) {
    this.isLibrary = isLibrary;
    this.pageBytes = pageBytes;
    this.interval = interval;
  }

  public void read(Path recording) throws IOException {
    Samples samples = new Samples(recording, isLibrary);
    samples.read(
        events ->
            events.onEvent(
                "jdk.ExecutionSample",
                event -> add(samples.origin(event, event.getThread("sampledThread")))));
  }

  /** Adds a sample. Java code touches the heap, and no library. */
  void add(Origin origin) {
    if (origin.category() == Category.C && !origin.library().isEmpty()) {
      long[] sum =
          sums.computeIfAbsent(
              new Origin(Category.C, origin.line(), origin.library(), ""), _ -> new long[2]);
      sum[0] += interval * pageBytes;
      sum[1] += interval;
    }
  }

  /** Returns what was touched so far by line and library, the most bytes first. */
  public List<Origin.Sum> lines() {
    return Origin.Sum.byLine(sums);
  }
}
