package dev.rockpool.record;

import dev.rockpool.arena.ArenaPool;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
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

/** Writes the recorded counts as events of JDK Flight Recorder, at the end of each chunk. */
final class ArenaEvents {
  private static final String FOOTPRINTS =
      "Arenas by bytes taken of a block, footprint=arenas: multiples of 16 up to 1024, from 1025 on"
          + " lower bounds, from 2048 on powers of two";

  private static final String DEEPEST =
      "Most arenas of the same thread that were open when one was opened, up to 15";

  /** Null until the events are registered, which happens once in a JVM. */
  private static @Nullable ArenaEvents registered;

  private final Unreported forHistograms = new Unreported(Recorder.SHARED);
  private final Unreported forSites = new Unreported(Recorder.SHARED);

  private volatile Settings settings;
  private Usage reportedUsage = Usage.now();

  private record Settings(String version, boolean arenas, int every) {}

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
   * later call replaces the version and the options. Called by one thread at a time, without a
   * lock, because the recorder calls listeners of the program.
   *
   * @param arenas whether arenas are pooled, as far as the options say
   * @param every see {@link Holdings#start}, as for {@code frames}
   */
  static void register(String version, boolean arenas, int every, int frames) {
    Holdings.start(every, frames);
    Settings settings = new Settings(version, arenas, every);
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
            now.every(),
            usage.processorNanos() - reportedUsage.processorNanos(),
            usage.threads() - reportedUsage.threads())
        .commit();
    reportedUsage = usage;
  }

  private void writeHistograms() {
    grouped(forHistograms, ArenaEvents::kind).forEach(k -> new ArenaHistogramEvent(k).commit());
  }

  private void writeSites() {
    grouped(forSites, each -> Shape.site(each.shape()))
        .forEach(site -> new ArenaSiteEvent(site).commit());
  }

  private static int kind(Tally tally) {
    return (Shape.served(tally.shape()) << 1) | (Shape.isVirtual(tally.shape()) ? 1 : 0);
  }

  private static Collection<List<Tally>> grouped(
      Unreported figures, Function<Tally, Integer> group) {
    return figures.next().stream().collect(Collectors.groupingBy(group)).values();
  }

  private static long sum(List<Tally> tallies, ToLongFunction<Tally> figure) {
    return tallies.stream().mapToLong(figure).sum();
  }

  private static Histogram byFootprint(List<Tally> tallies) {
    Histogram histogram = new Histogram(Shape.BUCKETS);
    tallies.forEach(each -> histogram.add(Shape.footprint(each.shape()), each.arenas()));
    return histogram;
  }

  /** Turns counts since the start into counts since the last report, for one kind of event. */
  static final class Unreported {
    private final Recorder recorder;
    private Map<Long, Tally> reported = Map.of();

    Unreported(Recorder recorder) {
      this.recorder = recorder;
    }

    /** Returns the non-empty tallies since the last call, one for each shape. */
    synchronized List<Tally> next() {
      Map<Long, Tally> now = recorder.read();
      List<Tally> next =
          now.values().stream()
              .map(each -> each.since(reported.getOrDefault(each.shape(), new Tally(each.shape()))))
              .filter(since -> !since.isEmpty())
              .toList();
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
      return IntStream.range(0, counts.length).filter(i -> counts[i] != 0).max().orElse(0);
    }

    /** Returns the text, where {@code lower} gives the name of a bucket. */
    String text(IntToLongFunction lower) {
      return IntStream.range(0, counts.length)
          .filter(bucket -> counts[bucket] != 0)
          .mapToObj(bucket -> lower.applyAsLong(bucket) + "=" + counts[bucket])
          .collect(Collectors.joining(" "));
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

  @Name("dev.rockpool.ArenaHistogram")
  @Label("Arena Histogram")
  @Category("Rockpool")
  @Description("Confined arenas closed since the last such event, by size")
  @Period("endChunk")
  @StackTrace(false)
  static final class ArenaHistogramEvent extends Event {
    @Label("Kind of Thread")
    @Description("platform or virtual")
    final String threadKind;

    @Label("Served")
    @Description(
        "pool: by blocks; regular: a pooled arena that used the fallback at least once;"
            + " jdk: an arena of the JDK's own")
    final String served;

    @Label("Arenas")
    @Description("Arenas closed")
    final long arenas;

    @Label("Allocations")
    @Description("Allocations in them")
    final long allocations;

    @Label("Bytes")
    @Description("Bytes asked for")
    @DataAmount
    final long bytes;

    @Label("Totals")
    @Description(
        "Arenas by bytes asked for in all, lower=arenas: 0 to 63 each on its own, then powers of"
            + " two")
    final String totals;

    @Label("Bytes by Total")
    @Description("Bytes asked for by arenas of each total, lower=bytes; the same lower bounds")
    final String totalBytes;

    @Label("Footprints")
    @Description(FOOTPRINTS)
    final String footprints;

    @Label("Largest Allocations")
    @Description("Arenas by bytes of their largest allocation, lower=arenas; as totals")
    final String largest;

    @Label("Alignments")
    @Description("Arenas by the highest alignment asked for, alignment=arenas")
    final String alignments;

    @Label("Depths")
    @Description(
        "Arenas by how many of the same thread were open when it was opened, depth=arenas; 15"
            + " stands for all beyond; on virtual threads a depth may come out too small")
    final String depths;

    @Label("Empty Arenas")
    @Description("Arenas without allocations; charts need numbers")
    final long empty;

    @Label("Arenas of up to 64 Bytes")
    @Description("Arenas that take 16 to 64 bytes of a block")
    final long upTo64;

    @Label("Arenas of up to 512 Bytes")
    @Description("Arenas that take 80 to 512 bytes of a block")
    final long upTo512;

    @Label("Arenas beyond 512 Bytes")
    @Description("Arenas that take more than 512 bytes, the default size of a block")
    final long beyond512;

    @Label("Largest Allocation From")
    @Description("Lower bound of the largest allocation")
    @DataAmount
    final long largestFrom;

    @Label("Deepest")
    @Description(DEEPEST)
    final long deepest;

    ArenaHistogramEvent(List<Tally> tallies) {
      long shape = tallies.getFirst().shape();
      Histogram byTotal = new Histogram(Shape.BUCKETS);
      Histogram bytesByTotal = new Histogram(Shape.BUCKETS);
      Histogram byFootprint = byFootprint(tallies);
      Histogram byLargest = new Histogram(Shape.BUCKETS);
      Histogram byAlignment = new Histogram(Long.SIZE);
      Histogram byDepth = new Histogram(Shape.DEEPEST + 1);
      for (Tally each : tallies) {
        byTotal.add(Shape.total(each.shape()), each.arenas());
        bytesByTotal.add(Shape.total(each.shape()), each.bytes());
        byLargest.add(Shape.largest(each.shape()), each.arenas());
        byAlignment.add(Shape.alignmentLog(each.shape()), each.arenas());
        byDepth.add(Shape.depth(each.shape()), each.arenas());
      }
      threadKind = Shape.isVirtual(shape) ? "virtual" : "platform";
      served =
          switch (Shape.served(shape)) {
            case Shape.POOL -> "pool";
            case Shape.REGULAR -> "regular";
            default -> "jdk";
          };
      arenas = sum(tallies, Tally::arenas);
      allocations = sum(tallies, Tally::allocations);
      bytes = sum(tallies, Tally::bytes);
      totals = byTotal.text(Shape::lower);
      totalBytes = bytesByTotal.text(Shape::lower);
      footprints = byFootprint.text(Shape::footprintLower);
      largest = byLargest.text(Shape::lower);
      alignments = byAlignment.text(log -> 1L << log);
      depths = byDepth.text(depth -> depth);
      empty = byFootprint.sum(0, 0);
      upTo64 = byFootprint.sum(1, Shape.footprintBucket(64));
      upTo512 = byFootprint.sum(Shape.footprintBucket(64) + 1, Shape.footprintBucket(512));
      beyond512 = byFootprint.sum(Shape.footprintBucket(512) + 1, Shape.BUCKETS - 1);
      largestFrom = Shape.lower(byLargest.last());
      deepest = byDepth.last();
    }
  }

  /** The confined arenas that one call site opened, closed since the last event. */
  @Name("dev.rockpool.ArenaSite")
  @Label("Arena Site")
  @Category("Rockpool")
  @Description(
      "Confined arenas closed since the last such event, by the call site that opened them")
  @Period("endChunk")
  @StackTrace(false)
  static final class ArenaSiteEvent extends Event {
    @Label("Site")
    @Description("Class, method and line; (others) for all sites beyond the first 4,000")
    final String site;

    @Label("Arenas")
    @Description("Arenas closed")
    final long arenas;

    @Label("Allocations")
    @Description("Allocations in them")
    final long allocations;

    @Label("Bytes")
    @Description("Bytes asked for")
    @DataAmount
    final long bytes;

    @Label("From Pool")
    @Description("Arenas that allocated, and were served from the pool")
    final long fromPool;

    @Label("Largest Total")
    @Description("Most bytes asked for by one arena")
    @DataAmount
    final long largestTotal;

    @Label("Deepest")
    @Description(DEEPEST)
    final long deepest;

    @Label("Footprints")
    @Description(FOOTPRINTS)
    final String footprints;

    ArenaSiteEvent(List<Tally> tallies) {
      site = Sites.SHARED.get(Shape.site(tallies.getFirst().shape())).name;
      arenas = sum(tallies, Tally::arenas);
      allocations = sum(tallies, Tally::allocations);
      bytes = sum(tallies, Tally::bytes);
      fromPool = sum(tallies, each -> isFromPool(each.shape()) ? each.arenas() : 0);
      largestTotal = tallies.stream().mapToLong(Tally::most).max().orElse(0);
      deepest = tallies.stream().mapToLong(each -> Shape.depth(each.shape())).max().orElse(0);
      footprints = byFootprint(tallies).text(Shape::footprintLower);
    }

    private static boolean isFromPool(long shape) {
      return Shape.served(shape) == Shape.POOL && Shape.footprint(shape) > 0;
    }
  }

  @Name("dev.rockpool.RecorderSettings")
  @Label("Recorder Settings")
  @Category("Rockpool")
  @Description("The JVM and the settings of its pool while arenas were recorded")
  @Period("everyChunk")
  @StackTrace(false)
  static final class RecorderSettingsEvent extends Event {
    @Label("Version")
    @Description("Version of Rockpool")
    final String version;

    @Label("Arenas")
    @Description("Whether the agent was asked to pool arenas")
    final boolean arenas;

    @Label("Followed")
    @Description("One in so many confined arenas is followed, to find leaks; 0 if none is")
    final int followed;

    @Label("Block Size")
    @Description("Bytes in a block; 0 if the pool is off")
    @DataAmount
    final long blockByteSize;

    @Label("Blocks per Thread")
    @Description("Blocks kept for a thread; 0 if the pool is off")
    final int blocksPerThread;

    @Label("State")
    @Description("State of the pool: ON, or why it is off: OFF, DENIED, UNSUITED, CHECKED")
    final String rockpoolState;

    @Label("JDK")
    @Description("Version of the Java runtime")
    final String jdk = Runtime.version().toString();

    @Label("Program")
    @Description("Main class or jar; without arguments, which may hold secrets")
    final String program = System.getProperty("sun.java.command", "not known").split(" ", 2)[0];

    @Label("Host")
    @Description("Operating system, its version, and architecture")
    final String host =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch");

    @Label("Processors")
    @Description("Processors that the JVM may use")
    final int processors = Runtime.getRuntime().availableProcessors();

    @Label("Processor Time")
    @Description("Processor time of the process since the previous such event; 0 if not known")
    @Timespan(Timespan.NANOSECONDS)
    final long processorTime;

    @Label("Threads")
    @Description("Threads made since the previous such event")
    final long threads;

    RecorderSettingsEvent(
        String version, boolean arenas, int followed, long processorTime, long threads) {
      this.processorTime = processorTime;
      this.threads = threads;
      ArenaPool pool = ArenaPool.shared();
      this.version = version;
      this.arenas = arenas;
      this.followed = followed;
      blockByteSize = pool.blockByteSize();
      blocksPerThread = pool.blocksPerThread();
      rockpoolState = pool.statistics().state().name();
    }
  }
}
