package dev.rockpool.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Writes the recorded counts as events of JDK Flight Recorder, at the end of each chunk. */
final class ArenaEvents {
  /** Null until the events are registered, which happens once in a JVM. */
  private static @Nullable ArenaEvents registered;

  private final Unreported forHistograms = new Unreported(Recorder.SHARED);
  private final Unreported forSites = new Unreported(Recorder.SHARED);

  private volatile Settings settings;
  private Usage reportedUsage = Usage.now();

  private record Settings(String version, boolean arenas) {}

  /** Sums since the start of the JVM. Threads have ascending ids. */
  private record Usage(long processorNanos, long threads) {
    static Usage now() {
      return new Usage(
          ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L),
          Thread.ofPlatform().unstarted(() -> {}).threadId());
    }
  }

  private ArenaEvents(Settings settings) {
    this.settings = settings;
  }

  /**
   * Registers the events, which starts the recorder of the JVM if need be, but no recording. A
   * later call replaces the version and the options.
   *
   * @param version of Rockpool
   * @param arenas whether arenas are pooled, as far as the options say
   * @param every see {@link Holdings#start}
   * @param frames see {@link Holdings#start}
   */
  static synchronized void register(String version, boolean arenas, int every, int frames) {
    Holdings.start(every, frames);
    Settings settings = new Settings(version, arenas);
    if (registered != null) {
      registered.settings = settings;
      return;
    }
    ArenaEvents events = new ArenaEvents(settings);
    FlightRecorder.addPeriodicEvent(RecorderSettingsEvent.class, events::writeSettings);
    FlightRecorder.addPeriodicEvent(ArenaHistogramEvent.class, events::writeHistograms);
    FlightRecorder.addPeriodicEvent(ArenaSiteEvent.class, events::writeSites);
    FlightRecorder.addPeriodicEvent(
        OpenArenasEvent.class,
        () -> new OpenArenasEvent(Recorder.SHARED.onVirtual().threads()).commit());
    HoldingEvents.register();
    registered = events;
  }

  private synchronized void writeSettings() {
    Settings now = settings;
    Usage usage = Usage.now();
    new RecorderSettingsEvent(
            now.version(),
            now.arenas(),
            usage.processorNanos() - reportedUsage.processorNanos(),
            usage.threads() - reportedUsage.threads())
        .commit();
    reportedUsage = usage;
  }

  private void writeHistograms() {
    for (List<Tally> kind : grouped(forHistograms, ArenaEvents::kind)) {
      new ArenaHistogramEvent(kind).commit();
    }
  }

  private void writeSites() {
    for (List<Tally> site : grouped(forSites, tally -> Shape.site(tally.shape()))) {
      new ArenaSiteEvent(site).commit();
    }
  }

  private static int kind(Tally tally) {
    return (Shape.served(tally.shape()) << 1) | (Shape.isVirtual(tally.shape()) ? 1 : 0);
  }

  private static Collection<List<Tally>> grouped(
      Unreported figures, Function<Tally, Integer> group) {
    return figures.next().stream().collect(Collectors.groupingBy(group)).values();
  }

  /**
   * Turns counts since the start of the JVM into counts since the last report. Each kind of event
   * has its own object, because each may be enabled without the other.
   */
  static final class Unreported {
    private final Recorder recorder;
    private Map<Long, Tally> reported = Map.of();

    /** Reports the counts of {@code recorder}, the first time from its first arena on. */
    Unreported(Recorder recorder) {
      this.recorder = recorder;
    }

    /** Returns the non-empty tallies since the last call, one for each shape. */
    synchronized List<Tally> next() {
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

  /** Counts by bucket, with text form {@code lower=count lower=count ...} without empty buckets. */
  static final class Histogram {
    private final long[] counts;

    Histogram(int buckets) {
      counts = new long[buckets];
    }

    void add(int bucket, long count) {
      counts[bucket] += count;
    }

    /** Returns the counts of the buckets {@code from} to {@code to}, both included. */
    long sum(int from, int to) {
      return Arrays.stream(counts, from, to + 1).sum();
    }

    /** Returns the last bucket that is not empty, or 0. */
    int last() {
      int last = counts.length - 1;
      while (last > 0 && counts[last] == 0) {
        last--;
      }
      return last;
    }

    /** Returns the text, where {@code lower} gives the name of a bucket. */
    String text(IntToLongFunction lower) {
      StringBuilder text = new StringBuilder();
      for (int bucket = 0; bucket < counts.length; bucket++) {
        if (counts[bucket] != 0) {
          text.append(text.isEmpty() ? "" : " ")
              .append(lower.applyAsLong(bucket))
              .append('=')
              .append(counts[bucket]);
        }
      }
      return text.toString();
    }
  }

  /** Shows whether many virtual threads wait with arenas open: no pool can serve all of these. */
  @Name("dev.rockpool.OpenArenas")
  @Label("Open Arenas")
  @Category("Rockpool")
  @Description("Virtual threads that have recorded arenas open, at most 4,096")
  @Period("1 s")
  @StackTrace(false)
  static final class OpenArenasEvent extends Event {
    @Label("Virtual Threads")
    final int virtualThreads;

    OpenArenasEvent(int virtualThreads) {
      this.virtualThreads = virtualThreads;
    }
  }
}
