package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/** Recordings of JDK Flight Recorder with the events that the agent's recorder writes. */
public final class Recorded {
  /** One arena, and the sizes it was asked for. */
  public record Arena(List<Integer> sizes) {
    public static Arena of(Integer... sizes) {
      return new Arena(List.of(sizes));
    }

    long total() {
      return sizes.stream().mapToLong(size -> size).sum();
    }
  }

  @Name("dev.rockpool.ArenaHistogram")
  @StackTrace(false)
  public static final class ArenaHistogram extends Event {
    public String threadKind = "platform";
    public long arenas;
    public long allocations;
    public long bytes;
    public String totals = "";
    public String totalBytes = "";
    public long empty;
  }

  @Name("dev.rockpool.ArenaSite")
  @StackTrace(false)
  public static final class ArenaSite extends Event {
    public String site = "";
    public long arenas;
    public long allocations;
    public long bytes;
    public long largestTotal;
    public String totals = "";
  }

  /** The fields that events on sites and on stacks have in common. */
  abstract static class Holding extends Event {
    public long run = 1;
    public String kind;
    public String site;
    public long opened;
    public long live;
    public long liveBytes;
    public long leaked;

    /** Open ones hold 100 bytes each. */
    Holding(String kind, String site, long opened, long live, long leaked) {
      this.kind = kind;
      this.site = site;
      this.opened = opened;
      this.live = live;
      this.liveBytes = 100 * live;
      this.leaked = leaked;
    }
  }

  @Name("dev.rockpool.HolderSite")
  @StackTrace(false)
  public static final class HolderSite extends Holding {
    public long age = 1_000_000_000;
    public long closed;
    public long allocations;
    public long bytes;
    public long mostLive;
    public long mostLiveBytes;
    public long leakedBytes;
    public long unclosedByEnded;
    public long largest;
    public long onVirtual;
    public long byOthers;
    public long closeTime;
    public long longestClose;
    public long lifeMedian;
    public long longestLife;
    public long oldest;
    public long growing;
    public long outOfMemory;
    public long liveAtPeak;
    public long liveBytesAtPeak;
    public long fullCollections;
    public long keptByFull;
    public long bytesKeptByFull;

    /** A site whose open ones hold 100 bytes each. */
    public HolderSite(String kind, String site, long opened, long live, long leaked) {
      super(kind, site, opened, live, leaked);
      this.closed = opened - live;
      this.allocations = opened;
      this.bytes = 100 * opened;
      this.leakedBytes = 100 * leaked;
    }
  }

  @Name("dev.rockpool.HolderStack")
  @StackTrace(false)
  public static final class HolderStack extends Holding {
    public String stack;
    public boolean cut;

    /** A stack of a site whose open ones hold 100 bytes each. */
    public HolderStack(String kind, String site, String stack, long live) {
      super(kind, site, live, live, 0);
      this.stack = stack;
    }
  }

  @Name("dev.rockpool.BufferPool")
  @StackTrace(false)
  public static final class BufferPool extends Event {
    public long run = 1;
    public String pool;
    public long buffers;
    public long capacity;
    public long used;
    public long mostUsed;

    /** A pool that has so many bytes now, and never had more. */
    public BufferPool(String pool, long buffers, long used) {
      this.pool = pool;
      this.buffers = buffers;
      this.capacity = used;
      this.used = used;
      this.mostUsed = used;
    }
  }

  @Name("dev.rockpool.RecorderSettings")
  @StackTrace(false)
  public static final class RecorderSettings extends Event {
    public String version = "0.1.0";
    public boolean arenas = true;
    public int followed = 8192;
    public String jdk = Runtime.version().toString();
    public int processors = 2;
    public long processorTime;
    public String program = System.getProperty("sun.java.command").split(" ")[0];
    public String host = "Linux 6 amd64";
    public long threads;
  }

  /** One look at a process of this size, in MiB. */
  @Name("dev.rockpool.ProcessMemory")
  @StackTrace(false)
  public static final class ProcessMemory extends Event {
    public long run = 1;
    public long look;
    public long resident;
    public long mostResident;
    public long residentFiles;
    public long available = 64L << 30;
    public long collections = 5;
    public long fullCollections;
    public long mallocArenas = 4;
    public boolean isTrimmed;
    public boolean isTracked = true;

    public ProcessMemory(long look, long resident) {
      this.look = look;
      this.resident = resident << 20;
      this.mostResident = resident << 20;
    }
  }

  /** A part of a process at a look, in MiB. */
  @Name("dev.rockpool.ProcessPart")
  @StackTrace(false)
  public static final class ProcessPart extends Event {
    public long run = 1;
    public long look;
    public String part;
    public long resident;
    public long committed;

    public ProcessPart(long look, String part, long resident, long committed) {
      this.look = look;
      this.part = part;
      this.resident = resident << 20;
      this.committed = committed << 20;
    }
  }

  /** As versions before this one recorded it. */
  @Name("dev.rockpool.ArenaSite")
  @StackTrace(false)
  static final class FormerArenaSite extends Event {
    String site = "a.A.a:1";
    long arenas = 1;
    String footprints = "16=1";
  }

  @Name("dev.rockpool.ArenaHistogram")
  @StackTrace(false)
  static final class NotANumber extends Event {
    String threadKind = "platform";
    double allocations = Double.NaN;
  }

  @Name("dev.rockpool.Elsewhere")
  @StackTrace(false)
  static final class Elsewhere extends Event {}

  private Recorded() {}

  /** The event for {@code arenas}, counted one by one. */
  public static ArenaHistogram histogram(String threadKind, List<Arena> arenas) {
    ArenaHistogram event = new ArenaHistogram();
    event.threadKind = threadKind;
    event.arenas = arenas.size();
    event.allocations = arenas.stream().mapToLong(arena -> arena.sizes().size()).sum();
    event.bytes = arenas.stream().mapToLong(Arena::total).sum();
    event.totals = text(arenas, arena -> 1);
    event.totalBytes = text(arenas, Arena::total);
    event.empty = arenas.stream().filter(arena -> arena.sizes().isEmpty()).count();
    return event;
  }

  /** The event for {@code arenas} of one class. */
  public static ArenaSite site(String name, List<Arena> arenas) {
    ArenaSite event = new ArenaSite();
    event.site = name;
    event.arenas = arenas.size();
    event.allocations = arenas.stream().mapToLong(arena -> arena.sizes().size()).sum();
    event.bytes = arenas.stream().mapToLong(Arena::total).sum();
    event.largestTotal = arenas.stream().mapToLong(Arena::total).max().orElse(0);
    event.totals = text(arenas, arena -> 1);
    return event;
  }

  private static long bucket(long bytes) {
    return bytes < 64 ? bytes : Long.highestOneBit(bytes);
  }

  private static String text(List<Arena> arenas, ToLongFunction<Arena> count) {
    Map<Long, Long> counts = new TreeMap<>();
    arenas.forEach(
        arena -> counts.merge(bucket(arena.total()), count.applyAsLong(arena), Math::addExact));
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  /** Starts a recording with these events, and with what says which JVM it is. */
  static Recording start() {
    Recording recording = new Recording();
    recording.enable("jdk.JVMInformation");
    recording.start();
    return recording;
  }

  /** Records {@code events}, with what says which JVM it was, into {@code file}. */
  public static Path record(Path file, Event... events) throws IOException {
    try (Recording recording = start()) {
      return dump(recording, file, events);
    }
  }

  /** Records {@code events}, and nothing that says which JVM it was, into {@code file}. */
  public static Path recordAnonymously(Path file, Event... events) throws IOException {
    try (Recording recording = new Recording()) {
      recording.start();
      return dump(recording, file, events);
    }
  }

  /** Writes {@code events} into a chunk of {@code recording}, and all of it so far to a file. */
  static Path dump(Recording recording, Path file, Event... events) throws IOException {
    for (Event event : events) {
      event.commit();
    }
    recording.dump(file);
    return file;
  }
}
