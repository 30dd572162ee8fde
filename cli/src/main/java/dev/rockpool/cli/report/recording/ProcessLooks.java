package dev.rockpool.cli.report.recording;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/**
 * The memory of one JVM's process over time, as the system, the JVM and glibc tell it. The recorder
 * looks every so often; the report shows the look at the highest resident set, and the last one.
 */
public final class ProcessLooks {
  /** Bytes that are resident, and bytes that are committed or in use; 0 is not known. */
  public record Size(long resident, long committed) {}

  public static final class Look {
    private final TreeMap<String, Size> parts = new TreeMap<>();
    private final TreeMap<String, Long> figures = new TreeMap<>();
    private Instant time = Instant.MIN;
    private boolean isTracked;
    private boolean isTrimmed;

    /** What the recorder knew of a part, by its name in events. */
    public Size part(String name) {
      return parts.getOrDefault(name, new Size(0, 0));
    }

    /** The names of all parts that the recorder knew. */
    public SortedMap<String, Size> parts() {
      return parts;
    }

    private long figure(String name) {
      return figures.getOrDefault(name, 0L);
    }

    /** Returns the resident set; 0 if not known. */
    public long resident() {
      return figure("resident");
    }

    /** Returns the highest resident set so far, which may have been between two looks. */
    public long mostResident() {
      return figure("mostResident");
    }

    public long residentFiles() {
      return figure("residentFiles");
    }

    /** Returns the memory of the container, or of the machine. */
    public long available() {
      return figure("available");
    }

    public long mallocArenas() {
      return figure("mallocArenas");
    }

    public long collections() {
      return figure("collections");
    }

    public boolean isTracked() {
      return isTracked;
    }

    /** Whether the JVM gives memory back that is free in malloc. */
    public boolean isTrimmed() {
      return isTrimmed;
    }

    public Instant time() {
      return time;
    }

    private Look or(Look other) {
      return other.parts.size() > parts.size() || other.figures.size() > figures.size()
          ? other
          : this;
    }
  }

  private record Last(Instant time, long figure) {
    Last or(Last other) {
      return other.time.isAfter(time) ? other : this;
    }
  }

  private static final List<String> FIGURES =
      List.of(
          "resident", "mostResident", "residentFiles", "available", "mallocArenas", "collections");

  /** Looks by their numbers. More than some thousand can't be seen in a chart. */
  private final TreeMap<Long, Look> looks = new TreeMap<>();

  private Last threads = new Last(Instant.MIN, 0);

  /** Adds the figures of an event, if it has any. */
  void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "dev.rockpool.ProcessMemory" -> {
        Look look = look(event);
        for (String figure : FIGURES) {
          look.figures.put(figure, Reading.number(event, figure));
        }
        look.time = event.getStartTime();
        look.isTracked = event.getBoolean("isTracked");
        look.isTrimmed = event.getBoolean("isTrimmed");
      }
      case "dev.rockpool.ProcessPart" ->
          look(event)
              .parts
              .put(
                  Reading.text(event, "part"),
                  new Size(Reading.number(event, "resident"), Reading.number(event, "committed")));
      case "jdk.JavaThreadStatistics" -> threads = threads.or(last(event, "activeCount"));
      default -> {
        // Not about the process.
      }
    }
  }

  private static Last last(RecordedEvent event, String field) {
    return new Last(event.getStartTime(), Reading.number(event, field));
  }

  private Look look(RecordedEvent event) {
    return looks.computeIfAbsent(Reading.number(event, "look"), _ -> new Look());
  }

  ProcessLooks plus(ProcessLooks other) {
    ProcessLooks both = new ProcessLooks();
    both.looks.putAll(looks);
    other.looks.forEach((number, look) -> both.looks.merge(number, look, Look::or));
    both.threads = threads.or(other.threads);
    return both;
  }

  /** Returns the looks that know the resident set, the first one first. */
  public List<Look> looks() {
    List<Look> whole = new ArrayList<>(looks.values());
    whole.removeIf(look -> look.resident() == 0);
    return whole;
  }

  /** Returns the live threads of the JVM; 0 if not known. */
  public long threads() {
    return threads.figure;
  }
}
