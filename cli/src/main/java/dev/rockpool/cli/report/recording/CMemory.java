package dev.rockpool.cli.report.recording;

import dev.rockpool.malloc.Libraries;
import dev.rockpool.malloc.LiveMallocs;
import dev.rockpool.malloc.Origin;
import dev.rockpool.malloc.Origin.Category;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;

/**
 * What {@code malloc} gave C code and is live, by line: of one JVM, or of several. The recorder
 * writes all of it in rounds, of which the last one counts; or it is folded from a recording that
 * async-profiler wrote.
 */
public final class CMemory {
  /**
   * The live memory of one line and library.
   *
   * @param stack that with the most live bytes, the innermost frame in the first line; may be empty
   */
  public record Line(String line, String library, long liveBytes, long blocks, String stack) {
    private String key() {
      return line + "\n" + library;
    }

    private Line plus(Line other) {
      return new Line(
          line,
          library,
          Sums.plus(liveBytes, other.liveBytes),
          Sums.plus(blocks, other.blocks),
          liveBytes >= other.liveBytes ? stack : other.stack);
    }
  }

  /** The line for which a library was the first to touch pages. */
  public record Toucher(String line, String library) {}

  private final Map<String, Line> lines = new HashMap<>();
  private final Map<String, Long> categories = new HashMap<>();

  private final Map<Toucher, Long> touched = new HashMap<>();

  private long interval = -1;
  private long round = -1;

  CMemory() {}

  /** Folds a recording that async-profiler wrote. */
  static CMemory of(Path recording) throws IOException {
    LiveMallocs mallocs = new LiveMallocs(Libraries::has);
    mallocs.read(recording);
    CMemory memory = new CMemory();
    memory.interval = mallocs.interval();
    for (Origin.Sum sum : mallocs.lines()) {
      memory.add(sum.origin().category().text(), line(sum));
    }
    return memory;
  }

  private static Line line(Origin.Sum sum) {
    return new Line(
        Reading.printable(sum.origin().line()),
        Reading.printable(sum.origin().library()),
        Sums.checked(sum.bytes()),
        sum.count(),
        Reading.printable(sum.origin().stack()));
  }

  void add(RecordedEvent event) {
    long itsRound = event.getLong("round");
    if (itsRound < round) {
      return;
    }
    if (itsRound > round) {
      lines.clear();
      categories.clear();
      round = itsRound;
    }
    interval = Reading.number(event, "interval");
    add(
        Reading.text(event, "category"),
        new Line(
            Reading.text(event, "site"),
            Reading.text(event, "library"),
            Reading.number(event, "liveBytes"),
            Reading.number(event, "live"),
            Reading.lines(event, "stack")));
  }

  /** Adds an event of pages that C code touched, which has the sum so far. */
  void addTouched(RecordedEvent event) {
    touched.merge(
        new Toucher(Reading.text(event, "site"), Reading.text(event, "library")),
        Reading.number(event, "touchedBytes"),
        Math::max);
  }

  private void add(String category, Line line) {
    categories.merge(category, line.liveBytes, Sums::plus);
    if (category.equals(Category.C.text())) {
      lines.merge(line.key(), line, Line::plus);
    }
  }

  CMemory plus(CMemory other) {
    CMemory both = new CMemory();
    for (CMemory each : List.of(this, other)) {
      each.categories.forEach((name, bytes) -> both.categories.merge(name, bytes, Sums::plus));
      each.lines.forEach((key, line) -> both.lines.merge(key, line, Line::plus));
      each.touched.forEach((key, bytes) -> both.touched.merge(key, bytes, Sums::plus));
      both.interval = Math.max(both.interval, each.interval);
    }
    return both;
  }

  /** Returns the later state of one JVM, which several files have. */
  CMemory or(CMemory other) {
    return other.round > round ? other : this;
  }

  /** Whether anything recorded this, even if nothing is live. */
  public boolean isKnown() {
    return interval >= 0;
  }

  /** Returns the bytes between two samples, the most of all JVMs; 0 if nothing was left out. */
  public long interval() {
    return interval;
  }

  public List<Line> lines() {
    List<Line> sorted = new ArrayList<>(lines.values());
    sorted.sort(Comparator.<Line>comparingLong(line -> -line.liveBytes).thenComparing(Line::key));
    return sorted;
  }

  /** Returns the bytes of pages that C code touched, by line, the most first. */
  public List<Map.Entry<Toucher, Long>> touched() {
    return touched.entrySet().stream()
        .sorted(
            Map.Entry.<Toucher, Long>comparingByValue()
                .reversed()
                .thenComparing(each -> each.getKey().toString()))
        .toList();
  }

  /** Returns the live bytes that {@code malloc} gave to one of those who are to account for it. */
  public long liveBytes(Category category) {
    return categories.getOrDefault(category.text(), 0L);
  }
}
