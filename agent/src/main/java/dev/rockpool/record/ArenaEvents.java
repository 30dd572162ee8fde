package dev.rockpool.record;

import dev.rockpool.record.Recorder.Sums;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Registers all events. Writes the settings, and the confined arenas that were closed since the
 * last events.
 */
public final class ArenaEvents {
  private static volatile @Nullable Settings settings;

  /** Events are registered once in a JVM. */
  private static boolean isRegistered;

  private static final AtomicReference<Usage> REPORTED = new AtomicReference<>(Usage.now());

  private record Settings(String version, boolean arenas, int every) {}

  /** Sums since the start of the JVM. Threads have ascending ids. */
  private record Usage(long processorNanos, long threads) {
    static Usage now() {
      return new Usage(
          ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L),
          Thread.ofPlatform().unstarted(() -> {}).threadId());
    }
  }

  private ArenaEvents() {}

  /**
   * Registers the events, which starts the recorder of the JVM if need be, but no recording. A
   * later call replaces the version and the options. Called by one thread at a time, without a
   * lock, because the recorder calls listeners of the program.
   *
   * @param arenas whether arenas are pooled, as far as the options say
   * @param every follows one confined arena in so many, a power of two; 0 for none
   * @param frames of a stack at most
   */
  public static void register(String version, boolean arenas, int every, int frames) {
    Recorder.find(0); // a virtual thread must not wait for the initialization of these classes
    settings = new Settings(version, arenas, every);
    if (!isRegistered) {
      registerEvents();
      isRegistered = true;
    }
    Holdings.start(every, frames); // after the events, which its rounds use
  }

  private static void registerEvents() {
    FlightRecorder.addPeriodicEvent(RecorderSettingsEvent.class, ArenaEvents::writeSettings);
    Unreported kinds = new Unreported(sums -> List.of(sums.ofThreads(false), sums.ofThreads(true)));
    FlightRecorder.addPeriodicEvent(
        ArenaHistogramEvent.class,
        () -> kinds.write((kind, counts) -> new ArenaHistogramEvent(kind == 1, counts)));
    Unreported sites =
        new Unreported(
            sums -> IntStream.range(0, Site.all().size()).mapToObj(sums::ofSite).toList());
    FlightRecorder.addPeriodicEvent(
        ArenaSiteEvent.class,
        () -> sites.write((site, counts) -> new ArenaSiteEvent(Site.get(site).name, counts)));
    HolderEvents.register();
  }

  private static void writeSettings() {
    Settings now = Objects.requireNonNull(settings);
    Usage usage = Usage.now();
    Usage before = REPORTED.getAndSet(usage);
    new RecorderSettingsEvent(
            now.version(),
            now.arenas(),
            now.every(),
            usage.processorNanos() - before.processorNanos(),
            usage.threads() - before.threads())
        .commit();
  }

  /** Turns counts since the start into counts since the last report, for one kind of event. */
  static final class Unreported {
    /** Makes an event of the counts with that index. */
    interface Maker {
      Event make(int index, SiteCounts counts);
    }

    private final Function<Sums, List<SiteCounts>> groups;
    private List<SiteCounts> reported = new ArrayList<>();

    Unreported(Function<Sums, List<SiteCounts>> groups) {
      this.groups = groups;
    }

    /** Writes an event for each group with arenas that were closed since the last call. */
    synchronized void write(Maker maker) {
      List<SiteCounts> now = groups.apply(Recorder.read());
      for (int index = 0; index < now.size(); index++) {
        SiteCounts counts = now.get(index);
        if (index < reported.size()) {
          counts = counts.closedSince(reported.get(index));
        }
        if (counts.closed() > 0) {
          maker.make(index, counts).commit();
        }
      }
      reported = now;
    }
  }

  /** An event that is written at the end of each chunk, if its class says nothing else. */
  @Category("Rockpool")
  @Period("endChunk")
  @StackTrace(false)
  abstract static class RecordedEvent extends Event {}

  @Name("dev.rockpool.ArenaHistogram")
  @Label("Arena Histogram")
  @Description("Confined arenas closed since the last such event, by kind of thread and by size")
  static final class ArenaHistogramEvent extends RecordedEvent {
    @Description("platform or virtual")
    final String threadKind;

    final long arenas;
    final long allocations;
    @DataAmount final long bytes;

    @Description("Arenas by bytes asked for in all, lower=arenas: 0 to 63 each, then powers of two")
    final String totals;

    @Description("Bytes asked for by arenas of each total, lower=bytes; the same lower bounds")
    final String totalBytes;

    @Description("Arenas without allocations")
    final long empty;

    ArenaHistogramEvent(boolean isVirtual, SiteCounts counts) {
      threadKind = isVirtual ? "virtual" : "platform";
      arenas = counts.closed();
      allocations = counts.allocations;
      bytes = counts.closedBytes();
      totals = counts.totals();
      totalBytes = counts.totalBytes();
      empty = counts.empty;
    }
  }

  @Name("dev.rockpool.ArenaSite")
  @Label("Arena Site")
  @Description("Confined arenas closed since the last such event, by the site that opened them")
  static final class ArenaSiteEvent extends RecordedEvent {
    @Description("Class, method and line; (others) for all sites beyond the first 4,000")
    final String site;

    final long arenas;
    final long allocations;
    @DataAmount final long bytes;

    @Description("Most bytes asked for by one arena")
    @DataAmount
    final long largestTotal;

    @Description("Arenas by bytes asked for in all, as in Arena Histogram")
    final String totals;

    ArenaSiteEvent(String site, SiteCounts counts) {
      this.site = site;
      arenas = counts.closed();
      allocations = counts.allocations;
      bytes = counts.closedBytes();
      largestTotal = counts.largest();
      totals = counts.totals();
    }
  }

  @Name("dev.rockpool.RecorderSettings")
  @Label("Recorder Settings")
  @Description("The JVM and the agent's settings while arenas were recorded")
  @Period("everyChunk")
  static final class RecorderSettingsEvent extends RecordedEvent {
    @Description("Version of Rockpool")
    final String version;

    @Description("Whether the agent pooled arenas")
    final boolean arenas;

    @Description("One in so many confined arenas is followed, to find leaks; 0 if none is")
    final int followed;

    final String jdk = Runtime.version().toString();

    @Description("Main class or jar; without arguments, which may hold secrets")
    final String program = System.getProperty("sun.java.command", "not known").split(" ", 2)[0];

    @Description("Operating system, its version, and architecture")
    final String host =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch");

    @Description("Processors that the JVM may use")
    final int processors = Runtime.getRuntime().availableProcessors();

    @Description("Processor time of the process since the previous such event; 0 if not known")
    @Timespan
    final long processorTime;

    @Description("Threads made since the previous such event")
    final long threads;

    RecorderSettingsEvent(
        String version, boolean arenas, int followed, long processorTime, long threads) {
      this.version = version;
      this.arenas = arenas;
      this.followed = followed;
      this.processorTime = processorTime;
      this.threads = threads;
    }
  }
}
