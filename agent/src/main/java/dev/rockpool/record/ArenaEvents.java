package dev.rockpool.record;

import dev.rockpool.record.HolderEvents.ArenaSiteEvent;
import dev.rockpool.record.HolderEvents.BufferPoolEvent;
import dev.rockpool.record.HolderEvents.HolderSiteEvent;
import dev.rockpool.record.HolderEvents.HolderStackEvent;
import dev.rockpool.record.HolderEvents.NativeMemoryEvent;
import dev.rockpool.record.ProcessMemory.ProcessMemoryEvent;
import dev.rockpool.record.ProcessMemory.ProcessPartEvent;
import dev.rockpool.record.Recorder.Sums;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Registers all events. Writes the settings, and the confined arenas that were closed since the
 * last events.
 */
public final class ArenaEvents {
  /** Writes each kind of event. Registered once in a JVM. */
  private static final Map<Class<? extends Event>, Runnable> WRITERS = new LinkedHashMap<>();

  private static final AtomicReference<Usage> REPORTED = new AtomicReference<>(Usage.now());

  private static volatile @Nullable Settings settings;

  /** Closed arenas that an event has, by kind of thread. */
  private static volatile List<SiteCounts> reported = List.of();

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
   * Registers the events, which starts the flight recorder of the JVM if need be, but no recording.
   * A later call has the events so far written, and all sums start anew. Called by one thread at a
   * time, without a lock, because the flight recorder calls listeners of the program.
   *
   * @param arenas whether arenas are pooled, as far as the options say
   * @param every follows one confined arena in so many, a power of two; 0 for none
   * @param frames of a stack at most
   * @param bytesOfRockpools the bytes of Rockpool's own direct buffers
   */
  public static void register(
      String version, boolean arenas, int every, int frames, LongSupplier bytesOfRockpools) {
    Recorder.find(0); // a virtual thread must not wait for the initialization of these classes
    LinkedAllocators.prepare();
    Owners.prepare();
    Allocations.records = true;
    WRITERS.values().forEach(Runnable::run);
    settings = new Settings(version, arenas, every);
    if (WRITERS.isEmpty()) {
      addWriters();
    } else {
      startAnew();
    }
    BufferPools.startAnew(bytesOfRockpools);
    Holdings.start(every, frames); // after the events, which its rounds use
  }

  /** Starts to count objects that own C memory, while no events are registered. */
  public static void startOwners() {
    Owners.prepare();
    Holdings.start(0, 0);
  }

  public static Set<Class<? extends Event>> types() {
    Set<Class<? extends Event>> types = new LinkedHashSet<>(WRITERS.keySet());
    types.add(ProcessPartEvent.class); // which ProcessMemory writes
    return types;
  }

  static void add(Class<? extends Event> event, Runnable writer) {
    if (WRITERS.put(event, writer) == null) {
      FlightRecorder.addPeriodicEvent(event, writer);
    }
  }

  private static void addWriters() {
    add(RecorderSettingsEvent.class, ArenaEvents::writeSettings);
    add(ArenaHistogramEvent.class, ArenaEvents::writeHistograms);
    add(ArenaSiteEvent.class, ArenaEvents::writeSites);
    add(HolderSiteEvent.class, RecordedSite::writeAll);
    add(HolderStackEvent.class, ArenaEvents::writeStacksAndPools);
    add(NativeMemoryEvent.class, ArenaEvents::writeKinds);
    add(BufferPoolEvent.class, BufferPools::write);
    add(ProcessMemoryEvent.class, ProcessMemory::look);
  }

  /**
   * Sums first: until sites are new, too, these have closed more than there are, and write none.
   */
  private static void startAnew() {
    Recorder.startAnew();
    reported = List.of();
    REPORTED.set(Usage.now());
    HolderEvents.startAnew();
    ProcessMemory.startAnew();
    RecordedSite.startAnew();
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

  private static void writeHistograms() {
    Sums sums = Recorder.read();
    List<SiteCounts> before = reported;
    List<SiteCounts> now = List.of(sums.ofThreads(false), sums.ofThreads(true));
    for (int kind = 0; kind < now.size(); kind++) {
      SiteCounts counts = now.get(kind);
      SiteCounts since = before.isEmpty() ? counts : counts.closedSince(before.get(kind));
      if (since.closed() > 0) {
        new ArenaHistogramEvent(kind == 1, since).commit();
      }
    }
    reported = now;
  }

  /** An event with a period has none at the end of a chunk, hence the pools here. */
  private static void writeStacksAndPools() {
    RecordedSite.writeAllStacks();
    BufferPools.write();
  }

  private static void writeKinds() {
    RecordedSite.kinds().values().forEach(Event::commit);
  }

  private static void writeSites() {
    Sums sums = Recorder.read();
    RecordedSite.all().forEach(site -> site.writeClosed(sums));
  }

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

    @Description("Main class or jar; without path and arguments, which may be private")
    final String program =
        System.getProperty("sun.java.command", "not known")
            .split(" ", 2)[0]
            .replaceFirst(".*[/\\\\]", "");

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
