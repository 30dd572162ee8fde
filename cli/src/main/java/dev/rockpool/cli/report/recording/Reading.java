package dev.rockpool.cli.report.recording;

import dev.rockpool.cli.report.recording.Chunks.Unusable;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** The events of one recording, read one by one. Damage leads to any exception. */
final class Reading {
  private static final Pattern SECRET =
      Pattern.compile("(?i)([\\w.-]*(?:passw|secret|token|credential|key)[\\w.-]*[= ])\\S+");

  /** Characters that would steer a terminal; line breaks separate the frames of a stack. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\n]]");

  private final Map<ThreadKind, ArenaFigures> threads = new EnumMap<>(ThreadKind.class);
  private final Map<String, ArenaSite> sites = new HashMap<>();
  private final Holders holders = new Holders();
  private final ProcessLooks memory = new ProcessLooks();
  private final Inlining inlining = new Inlining();
  private final Map<Object, CMemory> cMemories = new HashMap<>();
  private final Set<String> jvms = new HashSet<>();
  private final Map<String, String> facts = new LinkedHashMap<>();
  private @Nullable Long run;
  private long blocks;
  private long processorNanos;
  private boolean hasMallocs;
  private boolean isFromRecorder;
  private boolean isPooled;
  private boolean isUnfollowed;

  Reading(Path file) throws IOException, Unusable {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        read(recording.readEvent());
      }
    }
    if (hasMallocs) {
      cMemories.put(file, CMemory.of(file));
    }
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
      case "dev.rockpool.BufferPool" -> holders.addPool(event);
      case "dev.rockpool.RecorderSettings" -> readSettings(event);
      case "jdk.JVMInformation" -> readJvm(event);
      case "jdk.CompilerInlining" -> inlining.add(event);
      case "dev.rockpool.ProcessMemory" -> {
        run = event.getLong("run");
        memory.add(event);
      }
      case "dev.rockpool.CMemory" -> cMemory(event).add(event);
      case "dev.rockpool.CPages" -> cMemory(event).addTouched(event);
      case "profiler.Malloc" -> {
        hasMallocs = true;
        isFromRecorder = true;
      }
      default -> memory.add(event);
    }
  }

  private CMemory cMemory(RecordedEvent event) {
    return cMemories.computeIfAbsent(event.getLong("run"), _ -> new CMemory());
  }

  private static boolean isOutdated(String name, RecordedEvent event) {
    return switch (name) {
      case "dev.rockpool.ArenaHistogram" -> event.hasField("served");
      case "dev.rockpool.ArenaSite" -> !event.hasField("totals");
      case "dev.rockpool.HolderSite" -> !event.hasField("fullCollections");
      case "dev.rockpool.RecorderSettings" -> event.hasField("rockpoolState");
      case "dev.rockpool.ProcessMemory" -> !event.hasField("look");
      default -> false;
    };
  }

  private void readHistograms(RecordedEvent event) {
    threads.merge(
        ThreadKind.of(text(event, "threadKind")),
        new ArenaFigures(
            number(event, "allocations"),
            number(event, "empty"),
            Histogram.parse(text(event, "totals")),
            Histogram.parse(text(event, "totalBytes"))),
        ArenaFigures::plus);
    blocks++;
    isFromRecorder = true;
  }

  private void readSite(RecordedEvent event) {
    isFromRecorder = true;
    String name = text(event, "site");
    sites.merge(
        name,
        new ArenaSite(
            name,
            number(event, "arenas"),
            number(event, "allocations"),
            number(event, "bytes"),
            number(event, "largestTotal"),
            Histogram.parse(text(event, "totals"))),
        ArenaSite::plus);
  }

  private void readSettings(RecordedEvent event) {
    isFromRecorder = true;
    isPooled |= event.getBoolean("arenas");
    processorNanos = Sums.plus(processorNanos, number(event, "processorTime"));
    isUnfollowed |= event.getInt("followed") == 0;
    facts.put("rockpool", text(event, "version"));
    facts.put("jdk", Runtime.Version.parse(text(event, "jdk")).toString());
    facts.put("program", text(event, "program"));
    facts.put("host", text(event, "host"));
    facts.put("processors", "" + event.getInt("processors"));
    facts.put("arenas", event.getBoolean("arenas") ? "pooled" : "not pooled");
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

  static long number(RecordedEvent event, String field) {
    return Sums.checked(event.getLong(field));
  }

  /** A text of an event, as it can be shown in one line of a terminal. */
  static String text(RecordedEvent event, String field) {
    return lines(event, field).replace('\n', '?');
  }

  /** A text of an event, as it can be shown in lines of a terminal. */
  static String lines(RecordedEvent event, String field) {
    String text = event.getString(field);
    if (text == null) {
      throw new IllegalArgumentException(field + " has no value");
    }
    return printable(text);
  }

  static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** Whether a recorder of native memory wrote any of it. */
  boolean isFromRecorder() {
    return isFromRecorder;
  }

  /** Returns what is known of the JVM, see {@link Merge.Source}. */
  Map<String, String> facts() {
    return facts;
  }

  /**
   * Returns all that was read, and refuses sums that no JVM can come to.
   *
   * @param jvm names the JVM if no event does
   */
  Figures figures(long recordedNanos, String jvm) {
    Figures figures =
        new Figures(
            threads,
            sites,
            holders,
            run == null ? Map.of() : Map.of(run, memory),
            run == null || inlining.isEmpty() ? Map.of() : Map.of(run, inlining),
            cMemories,
            jvms.isEmpty() ? Set.of(jvm) : jvms,
            blocks,
            recordedNanos,
            processorNanos,
            isPooled,
            isUnfollowed);
    Sums.checked(figures.all().arenas());
    Sums.checked(figures.all().bytes());
    holders.check();
    return figures;
  }
}
