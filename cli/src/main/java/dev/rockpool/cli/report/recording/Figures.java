package dev.rockpool.cli.report.recording;

import dev.rockpool.cli.report.recording.Chunks.Unusable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** All that was read: from one recording, or the sum of many. */
public final class Figures {
  /** The kind of thread that an arena was confined to. */
  public enum ThreadKind {
    PLATFORM,
    VIRTUAL
  }

  /**
   * Figures of arenas that were closed.
   *
   * @param empty arenas that never allocated
   * @param totals arenas, by the bytes that each was asked for
   * @param totalBytes bytes asked for, in the buckets of {@code totals}
   */
  public record ArenaFigures(long allocations, long empty, Histogram totals, Histogram totalBytes) {
    /** Figures of no arena. */
    public ArenaFigures() {
      this(0, 0, new Histogram(), new Histogram());
    }

    private ArenaFigures plus(ArenaFigures other) {
      return new ArenaFigures(
          Math.addExact(allocations, other.allocations),
          Math.addExact(empty, other.empty),
          totals.plus(other.totals),
          totalBytes.plus(other.totalBytes));
    }

    /** Returns the number of arenas: the sum of {@link #totals}, so that shares add up. */
    public long arenas() {
      return totals.total();
    }

    /** Returns the bytes asked for: the sum of {@link #totalBytes}. */
    public long bytes() {
      return totalBytes.total();
    }
  }

  /**
   * Figures of the arenas that one call site opened, and that were closed.
   *
   * @param largestTotal the most bytes that one arena was asked for
   * @param totals arenas, by the bytes that each was asked for
   */
  public record Site(
      String site, long arenas, long allocations, long bytes, long largestTotal, Histogram totals) {
    private Site plus(Site other) {
      return new Site(
          site,
          Math.addExact(arenas, other.arenas),
          Math.addExact(allocations, other.allocations),
          Math.addExact(bytes, other.bytes),
          Math.max(largestTotal, other.largestTotal),
          totals.plus(other.totals));
    }
  }

  /**
   * Settings of a recorded JVM.
   *
   * @param version Rockpool's
   * @param arenas whether the agent pooled arenas meanwhile
   * @param jdk version of the Java runtime
   * @param processors that the JVM could use
   */
  public record Setting(String version, boolean arenas, String jdk, int processors) {}

  private static final Pattern SECRET =
      Pattern.compile("(?i)([\\w.-]*(?:passw|secret|token|credential|key)[\\w.-]*[= ])\\S+");

  /** Characters that would steer a terminal; line breaks separate the frames of a stack. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\n]]");

  private final Map<ThreadKind, ArenaFigures> groups = new EnumMap<>(ThreadKind.class);
  private final Map<String, Site> sites = new HashMap<>();
  private final Set<String> jvms = new HashSet<>();
  private final Set<Setting> settings = new TreeSet<>(Comparator.comparing(Setting::toString));
  private final Holders holders = new Holders();
  private final Map<String, String> facts = new HashMap<>();
  private long blocks;
  private long recordedNanos;
  private long processorNanos;
  private boolean isUnfollowed;

  /** Adds a recording. Damage leads to any exception; then these figures are of no use. */
  void read(Path file) throws IOException, Unusable {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        read(recording.readEvent());
      }
    }
    Histogram.checked(all().arenas());
    Histogram.checked(all().bytes());
    holders.check();
  }

  private void read(RecordedEvent event) throws Unusable {
    String name = event.getEventType().getName();
    if (isOutdated(name, event)) {
      throw new Unusable("an older version of Rockpool recorded it: record the program again");
    }
    switch (name) {
      case "dev.rockpool.ArenaHistogram" -> readHistograms(event);
      case "dev.rockpool.ArenaSite" -> readSite(event);
      case "dev.rockpool.HolderSite" -> holders.addSite(event);
      case "dev.rockpool.HolderStack" -> holders.addStack(event);
      case "dev.rockpool.RecorderSettings" -> readSettings(event);
      case "jdk.JVMInformation" -> readJvm(event);
      default -> {
        // Not about arenas.
      }
    }
  }

  private static boolean isOutdated(String name, RecordedEvent event) {
    return switch (name) {
      case "dev.rockpool.ArenaHistogram" -> event.hasField("served");
      case "dev.rockpool.ArenaSite" -> !event.hasField("totals");
      case "dev.rockpool.HolderSite" -> !event.hasField("unclosedByEnded");
      case "dev.rockpool.RecorderSettings" -> event.hasField("rockpoolState");
      default -> false;
    };
  }

  private void readJvm(RecordedEvent event) {
    jvms.add(event.getLong("pid") + " since " + event.getInstant("jvmStartTime"));
    String java = event.getString("javaArguments");
    if (java != null) { // null where native code made the JVM
      String[] command = printable(java).split(" ", 2);
      facts.put("program", command[0]);
      facts.put("arguments", command.length < 2 ? "none" : masked(command[1]));
    }
    String arguments = event.getString("jvmArguments");
    facts.put("jvmArguments", arguments == null ? "none" : masked(printable(arguments)));
  }

  /** Returns {@code arguments} without the values whose names sound secret. */
  static String masked(String arguments) {
    return SECRET.matcher(arguments).replaceAll("$1***");
  }

  private void readHistograms(RecordedEvent event) {
    String kind = text(event, "threadKind");
    groups.merge(
        Arrays.stream(ThreadKind.values())
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(kind))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "threadKind must be platform or virtual: \"" + kind + "\"")),
        new ArenaFigures(
            count(event, "allocations"),
            count(event, "empty"),
            Histogram.parse(text(event, "totals")),
            Histogram.parse(text(event, "totalBytes"))),
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
            count(event, "allocations"),
            count(event, "bytes"),
            count(event, "largestTotal"),
            Histogram.parse(text(event, "totals"))),
        Site::plus);
  }

  private void readSettings(RecordedEvent event) {
    Setting setting =
        new Setting(
            text(event, "version"),
            event.getBoolean("arenas"),
            Runtime.Version.parse(text(event, "jdk")).toString(),
            event.getInt("processors"));
    settings.add(setting);
    processorNanos = Math.addExact(processorNanos, count(event, "processorTime"));
    isUnfollowed |= event.getInt("followed") == 0;
    facts.put("rockpool", setting.version);
    for (String field : List.of("jdk", "program", "host")) {
      facts.put(field, text(event, field));
    }
  }

  static long count(RecordedEvent event, String field) {
    return Histogram.checked(event.getLong(field));
  }

  /** A text of an event, as it can be shown on a terminal. */
  static String text(RecordedEvent event, String field) {
    String text = event.getString(field);
    if (text == null) {
      throw new IllegalArgumentException(field + " has no value");
    }
    return printable(text);
  }

  static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** Completes the figures of one file by the time recorded, and a JVM if no event names one. */
  void complete(long recordedNanos, Path file) {
    this.recordedNanos = recordedNanos;
    if (jvms.isEmpty()) {
      jvms.add(file.toAbsolutePath().normalize().toString());
    }
  }

  /** Returns the facts of one recording, see {@link Merge.Source}; sums have none. */
  Map<String, String> facts() {
    return facts;
  }

  void add(Figures other) {
    other.groups.forEach((key, more) -> groups.merge(key, more, ArenaFigures::plus));
    other.sites.forEach((name, more) -> sites.merge(name, more, Site::plus));
    holders.add(other.holders);
    jvms.addAll(other.jvms);
    settings.addAll(other.settings);
    blocks += other.blocks;
    recordedNanos = Math.addExact(recordedNanos, other.recordedNanos);
    processorNanos = Math.addExact(processorNanos, other.processorNanos);
    isUnfollowed |= other.isUnfollowed;
  }

  /** Whether a recorder of arenas wrote any of it. */
  boolean fromRecorder() {
    return blocks > 0 || !sites.isEmpty() || !settings.isEmpty();
  }

  /** Returns the figures of all arenas. */
  public ArenaFigures all() {
    return groups.values().stream().reduce(new ArenaFigures(), ArenaFigures::plus);
  }

  /** Returns the figures of the arenas confined to threads of this kind. */
  public ArenaFigures of(ThreadKind kind) {
    return groups.getOrDefault(kind, new ArenaFigures());
  }

  /** Returns confined arenas, by the call site that opened them. */
  public Map<String, Site> sites() {
    return Collections.unmodifiableMap(sites);
  }

  /** Returns the call sites that hold native memory. */
  public Holders holders() {
    return holders;
  }

  /** Returns the settings of the recorded JVMs. */
  public Set<Setting> settings() {
    return Collections.unmodifiableSet(settings);
  }

  /** Returns the number of JVMs. */
  public int jvms() {
    return jvms.size();
  }

  /** Returns the number of histograms that were added up. */
  public long blocks() {
    return blocks;
  }

  /** Returns the time recorded, in nanoseconds, added over JVMs. */
  public long recordedNanos() {
    return recordedNanos;
  }

  /** Returns the processor time of the JVMs meanwhile, in nanoseconds; 0 if not known. */
  public long processorNanos() {
    return processorNanos;
  }

  /** Whether a JVM followed no confined arena, and so found leaks of ended threads only. */
  public boolean isUnfollowed() {
    return isUnfollowed;
  }
}
