package dev.rockpool.cli.report.recording;

import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import jdk.jfr.consumer.RecordedEvent;

/**
 * The memory of one JVM's process as the system, the JVM and glibc tell it: the last figures of
 * each, which the recorder writes at the same time.
 */
public final class ProcessMemory {
  /** Figures by the name that they have here. */
  public static final String RESIDENT = "resident";

  public static final String PEAK = "peak";
  public static final String HEAP = "heap";
  public static final String THREADS = "threads";
  public static final String FILES = "files";
  public static final String MALLOC_ARENAS = "malloc arenas";
  public static final String MALLOC_FREE = "malloc free";

  /** The category of native memory tracking that has the memory of Java code. */
  public static final String OTHER = "Other";

  private static final String CATEGORY = "category ";

  private record Last(Instant time, long figure) {
    Last or(Last other) {
      return other.time.isAfter(time) ? other : this;
    }
  }

  private final TreeMap<String, Last> lasts = new TreeMap<>();

  /** Adds the figures of an event, if it has any. */
  void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.ResidentSetSize" -> {
        add(event, RESIDENT, "size");
        add(event, PEAK, "peak");
      }
      case "jdk.GCHeapMemoryUsage" -> add(event, HEAP, "committed");
      case "jdk.NativeMemoryUsage" ->
          add(event, CATEGORY + Reading.text(event, "type"), "committed");
      case "jdk.JavaThreadStatistics" -> add(event, THREADS, "activeCount");
      case "dev.rockpool.ProcessMemory" -> {
        add(event, FILES, "residentFiles");
        add(event, MALLOC_ARENAS, "mallocArenas");
        add(event, MALLOC_FREE, "mallocFree");
      }
      default -> {
        // Not about the process.
      }
    }
  }

  private void add(RecordedEvent event, String name, String field) {
    lasts.merge(name, new Last(event.getStartTime(), Reading.number(event, field)), Last::or);
  }

  ProcessMemory plus(ProcessMemory other) {
    ProcessMemory both = new ProcessMemory();
    both.lasts.putAll(lasts);
    other.lasts.forEach((name, last) -> both.lasts.merge(name, last, Last::or));
    return both;
  }

  /** Returns all figures but those of categories, as far as they are known. */
  public SortedMap<String, Long> figures() {
    return figures(name -> name.startsWith(CATEGORY) ? "" : name);
  }

  /** Returns the committed bytes of each category of native memory tracking; empty without it. */
  public SortedMap<String, Long> categories() {
    return figures(name -> name.startsWith(CATEGORY) ? name.substring(CATEGORY.length()) : "");
  }

  private SortedMap<String, Long> figures(UnaryOperator<String> naming) {
    SortedMap<String, Long> figures = new TreeMap<>();
    lasts.forEach((name, last) -> figures.put(naming.apply(name), last.figure));
    figures.remove("");
    return figures;
  }
}
