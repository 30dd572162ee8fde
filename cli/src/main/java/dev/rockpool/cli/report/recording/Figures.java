package dev.rockpool.cli.report.recording;

import dev.rockpool.cli.report.recording.Histogram.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** All that was read: of one recording, or the sum of many. */
public final class Figures {
  /** The kind of thread that an arena was confined to. */
  public enum ThreadKind {
    PLATFORM,
    VIRTUAL
  }

  /** The origin of an arena's memory. */
  public enum Served {
    /** The pool. */
    POOL,
    /** The JDK at least once, although the JVM had the pool. */
    REGULAR,
    /** The JDK: the pool was off. */
    JDK
  }

  /**
   * Figures of arenas that were closed.
   *
   * @param totals arenas, by the bytes that each was asked for
   * @param totalBytes bytes asked for, in the buckets of {@code totals}
   * @param footprints arenas, by the bytes of a block that each takes
   * @param largest arenas, by their largest allocation
   * @param alignments arenas, by the highest alignment asked for
   * @param depths arenas, by how many others of the thread were open when they were opened
   */
  public record ArenaFigures(
      long allocations,
      Histogram totals,
      Histogram totalBytes,
      Histogram footprints,
      Histogram largest,
      Histogram alignments,
      Histogram depths) {
    /** Figures of no arena. */
    public ArenaFigures() {
      this(
          0,
          new Histogram(Scale.BYTES),
          new Histogram(Scale.BYTES),
          new Histogram(Scale.FOOTPRINTS),
          new Histogram(Scale.BYTES),
          new Histogram(Scale.ALIGNMENTS),
          new Histogram(Scale.DEPTHS));
    }

    private ArenaFigures plus(ArenaFigures other) {
      return new ArenaFigures(
          Math.addExact(allocations, other.allocations),
          totals.plus(other.totals),
          totalBytes.plus(other.totalBytes),
          footprints.plus(other.footprints),
          largest.plus(other.largest),
          alignments.plus(other.alignments),
          depths.plus(other.depths));
    }

    /** Returns the number of arenas: the sum of {@link #totals}, so that shares add up. */
    public long arenas() {
      return totals.total();
    }

    /** The bytes asked for: the sum of {@link #totalBytes}. */
    public long bytes() {
      return totalBytes.total();
    }

    /** Arenas that never allocated. */
    public long empty() {
      return footprints.in(0);
    }
  }

  /**
   * Figures of the arenas that one call site opened.
   *
   * @param fromPool arenas that the pool served
   * @param largestTotal the most bytes that one arena was asked for
   * @param deepest the most other arenas of the thread that were open when one was opened
   * @param footprints arenas, by the bytes of a block that each takes
   */
  public record Site(
      String site,
      long arenas,
      long fromPool,
      long allocations,
      long bytes,
      long largestTotal,
      long deepest,
      Histogram footprints) {
    private Site plus(Site other) {
      return new Site(
          site,
          Math.addExact(arenas, other.arenas),
          Math.addExact(fromPool, other.fromPool),
          Math.addExact(allocations, other.allocations),
          Math.addExact(bytes, other.bytes),
          Math.max(largestTotal, other.largestTotal),
          Math.max(deepest, other.deepest),
          footprints.plus(other.footprints));
    }

    /** Arenas that allocated. */
    public long allocating() {
      return arenas - footprints.in(0);
    }

    /** Arenas that allocated, and that the pool did not serve. */
    public long missed() {
      return Math.max(0, allocating() - fromPool);
    }

    /** Arenas that need not fit in {@code byteSize}. */
    public long tooLarge(long byteSize) {
      return footprints.total() - footprints.upTo(byteSize);
    }
  }

  /**
   * Settings of a recorded JVM.
   *
   * @param version Rockpool's
   * @param arenas whether arenas were served from the pool
   * @param blockByteSize bytes in a block
   * @param blocksPerThread blocks kept for a thread
   * @param state of the pool: ON, or why it is off: OFF, DENIED, UNSUITED, CHECKED
   * @param jdk version of the Java runtime
   * @param processors that the JVM could use
   */
  public record Setting(
      String version,
      boolean arenas,
      long blockByteSize,
      int blocksPerThread,
      String state,
      String jdk,
      int processors) {
    private static final Comparator<Setting> ORDER =
        Comparator.comparing(Setting::version)
            .thenComparing(Setting::arenas)
            .thenComparingLong(Setting::blockByteSize)
            .thenComparingInt(Setting::blocksPerThread)
            .thenComparing(Setting::state)
            .thenComparing(Setting::jdk)
            .thenComparingInt(Setting::processors);

    /** The bytes that an arena of the pool gets before the JDK serves it. */
    public long mostByteSize() {
      return Math.max(blockByteSize, LARGE_BLOCK);
    }

    /** Whether the pool served arenas. */
    public boolean isOn() {
      return arenas && state.equals("ON");
    }
  }

  /** Bytes in the block of an arena that outgrows its first one. */
  public static final long LARGE_BLOCK = 8 << 10;

  private record Group(ThreadKind threadKind, Served served) {}

  private static final Pattern SECRET =
      Pattern.compile("(?i)([\\w.-]*(?:passw|secret|token|credential|key)[\\w.-]*[= ])\\S+");

  private final Map<Group, ArenaFigures> groups = new HashMap<>();
  private final Map<String, Site> sites = new HashMap<>();
  private final Set<String> jvms = new HashSet<>();
  private final Map<Setting, Long> settings = new TreeMap<>(Setting.ORDER);
  private final Holders holders = new Holders();
  private final Map<String, String> facts = new HashMap<>();
  private long blocks;
  private long recordedNanos;
  private long processorNanos;
  private long threads;
  private long openSamples;
  private long openOnVirtual;
  private boolean isUnfollowed;

  /** Adds a recording. Damage leads to any exception; then these figures are of no use. */
  void read(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        read(recording.readEvent());
      }
    }
  }

  private void read(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "dev.rockpool.ArenaHistogram" -> readHistograms(event);
      case "dev.rockpool.ArenaSite" -> readSite(event);
      case "dev.rockpool.HolderSite" -> holders.addSite(event);
      case "dev.rockpool.HolderStack" -> holders.addStack(event);
      case "dev.rockpool.RecorderSettings" -> readSettings(event);
      case "dev.rockpool.OpenArenas" -> {
        long open = Histogram.checked(event.getLong("virtualThreads"));
        openOnVirtual = Math.addExact(openOnVirtual, open);
        openSamples += open > 0 ? 1 : 0; // idle moments do not count
      }
      case "jdk.JVMInformation" -> readJvm(event);
      default -> {
        // Not about arenas.
      }
    }
  }

  private void readJvm(RecordedEvent event) {
    jvms.add(event.getLong("pid") + " since " + event.getInstant("jvmStartTime"));
    String java = event.getString("javaArguments");
    if (java != null) { // null where native code made the JVM
      String[] command = java.split(" ", 2);
      facts.put("program", command[0]);
      facts.put("arguments", command.length < 2 ? "none" : masked(command[1]));
    }
    String arguments = event.getString("jvmArguments");
    facts.put("jvmArguments", arguments == null ? "none" : masked(arguments));
  }

  /** {@code arguments}, without the values whose names sound secret. */
  static String masked(String arguments) {
    return SECRET.matcher(arguments).replaceAll("$1***");
  }

  private void readHistograms(RecordedEvent event) {
    groups.merge(
        new Group(
            constant(ThreadKind.class, event, "threadKind"),
            constant(Served.class, event, "served")),
        new ArenaFigures(
            count(event, "allocations"),
            histogram(Scale.BYTES, event, "totals"),
            histogram(Scale.BYTES, event, "totalBytes"),
            histogram(Scale.FOOTPRINTS, event, "footprints"),
            histogram(Scale.BYTES, event, "largest"),
            histogram(Scale.ALIGNMENTS, event, "alignments"),
            histogram(Scale.DEPTHS, event, "depths")),
        ArenaFigures::plus);
    blocks++;
  }

  private void readSite(RecordedEvent event) {
    String name = text(event, "site");
    sites.merge(
        name,
        new Site(
            name,
            count(event, "arenas"),
            count(event, "fromPool"),
            count(event, "allocations"),
            count(event, "bytes"),
            count(event, "largestTotal"),
            count(event, "deepest"),
            histogram(Scale.FOOTPRINTS, event, "footprints")),
        Site::plus);
  }

  private void readSettings(RecordedEvent event) {
    Setting setting =
        new Setting(
            text(event, "version"),
            event.getBoolean("arenas"),
            count(event, "blockByteSize"),
            event.getInt("blocksPerThread"),
            text(event, "rockpoolState"),
            Runtime.Version.parse(text(event, "jdk")).toString(),
            event.getInt("processors"));
    settings.merge(setting, 1L, Long::sum);
    processorNanos = Math.addExact(processorNanos, count(event, "processorTime"));
    threads = Math.addExact(threads, count(event, "threads"));
    isUnfollowed |= event.hasField("followed") && event.getInt("followed") == 0;
    facts.put("rockpool", setting.version);
    facts.put("jdk", text(event, "jdk"));
    for (String field : List.of("program", "host")) {
      if (event.hasField(field)) {
        facts.put(field, text(event, field));
      }
    }
  }

  private static Histogram histogram(Scale scale, RecordedEvent event, String field) {
    return Histogram.parse(scale, text(event, field));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, RecordedEvent event, String field) {
    String name = text(event, field);
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(field + " has an unknown value: \"" + name + "\""));
  }

  static long count(RecordedEvent event, String field) {
    return Histogram.checked(event.getLong(field));
  }

  static String text(RecordedEvent event, String field) {
    String text = event.getString(field);
    if (text == null) {
      throw new IllegalArgumentException(field + " has no value");
    }
    return text;
  }

  /** Completes the figures of one file by the time recorded, and a JVM if no event names one. */
  void complete(long recordedNanos, Path file) {
    this.recordedNanos = recordedNanos;
    if (jvms.isEmpty()) {
      jvms.add(file.toAbsolutePath().normalize().toString());
    }
  }

  /** The facts of one recording, see {@link Merge.Source}; sums have none. */
  Map<String, String> facts() {
    return facts;
  }

  void add(Figures other) {
    other.groups.forEach((key, more) -> groups.merge(key, more, ArenaFigures::plus));
    other.sites.forEach((name, more) -> sites.merge(name, more, Site::plus));
    holders.add(other.holders);
    jvms.addAll(other.jvms);
    other.settings.forEach((setting, count) -> settings.merge(setting, count, Long::sum));
    blocks += other.blocks;
    recordedNanos = Math.addExact(recordedNanos, other.recordedNanos);
    processorNanos = Math.addExact(processorNanos, other.processorNanos);
    threads = Math.addExact(threads, other.threads);
    openOnVirtual = Math.addExact(openOnVirtual, other.openOnVirtual);
    openSamples += other.openSamples;
    isUnfollowed |= other.isUnfollowed;
  }

  /** Whether a recorder of arenas wrote any of it. */
  boolean fromRecorder() {
    return blocks > 0 || !sites.isEmpty() || !settings.isEmpty();
  }

  /** Figures of all arenas. */
  public ArenaFigures all() {
    return sum(_ -> true);
  }

  /** Figures of the arenas confined to threads of this kind. */
  public ArenaFigures of(ThreadKind kind) {
    return sum(group -> group.threadKind == kind);
  }

  private ArenaFigures sum(Predicate<Group> which) {
    return groups.entrySet().stream()
        .filter(group -> which.test(group.getKey()))
        .map(Map.Entry::getValue)
        .reduce(new ArenaFigures(), ArenaFigures::plus);
  }

  /** Figures of the arenas confined to threads of this kind that were served like this. */
  public ArenaFigures of(ThreadKind kind, Served served) {
    return groups.getOrDefault(new Group(kind, served), new ArenaFigures());
  }

  /** Confined arenas, by the call site that opened them. */
  public Map<String, Site> sites() {
    return Collections.unmodifiableMap(sites);
  }

  /** The call sites that hold native memory. */
  public Holders holders() {
    return holders;
  }

  /** Settings of the recorded JVMs, and how often each was told. */
  public Map<Setting, Long> settings() {
    return Collections.unmodifiableMap(settings);
  }

  /** Returns the number of JVMs. */
  public int jvms() {
    return jvms.size();
  }

  /** Returns the number of histograms that were added up. */
  public long blocks() {
    return blocks;
  }

  /** The time recorded, in nanoseconds, added over JVMs. */
  public long recordedNanos() {
    return recordedNanos;
  }

  /** Processor time of the JVMs while arenas were recorded, in nanoseconds; 0 if not known. */
  public long processorNanos() {
    return processorNanos;
  }

  /** Returns the number of threads, of both kinds, that were made meanwhile. */
  public long threads() {
    return threads;
  }

  /** The most processors that a JVM had. */
  public int processors() {
    return settings.keySet().stream().mapToInt(Setting::processors).max().orElse(1);
  }

  /** Whether a JVM followed no confined arena, and so found no leak of these. */
  public boolean isUnfollowed() {
    return isUnfollowed;
  }

  /** The mean number of virtual threads with open arenas, over all moments that had any. */
  public double openAtOnce() {
    return openSamples == 0 ? 0 : (double) openOnVirtual / openSamples;
  }
}
