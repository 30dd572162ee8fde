package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the events of one recording into figures. */
final class RecordingReader {
  private final Figures figures;

  RecordingReader(Figures figures) {
    this.figures = figures;
  }

  /** Fails with whatever exception damage leads to; then {@link #figures} are of no use. */
  void read(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        add(recording.readEvent());
      }
    }
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "dev.rockpool.ArenaHistogram" -> histogram(event);
      case "dev.rockpool.ArenaSite" -> site(event);
      case "dev.rockpool.HolderSite" -> figures.holders().addSite(event);
      case "dev.rockpool.HolderStack" -> figures.holders().addStack(event);
      case "dev.rockpool.RecorderSettings" -> settings(event);
      case "dev.rockpool.OpenArenas" -> figures.addOpenOnVirtual(event.getLong("virtualThreads"));
      case "jdk.JVMInformation" -> jvm(event);
      default -> {
        // Not about arenas.
      }
    }
  }

  private void jvm(RecordedEvent event) {
    figures.addJvm(event.getLong("pid") + " since " + event.getInstant("jvmStartTime"));
    String java = event.getString("javaArguments");
    if (java != null) { // null where native code made the JVM
      String[] command = java.split(" ", 2);
      figures.addFact("program", command[0]);
      figures.addFact("arguments", command.length < 2 ? "none" : Source.masked(command[1]));
    }
    String arguments = event.getString("jvmArguments");
    figures.addFact("jvmArguments", arguments == null ? "none" : Source.masked(arguments));
  }

  private void histogram(RecordedEvent event) {
    ArenaFigures group =
        figures.group(
            constant(ThreadKind.class, event, "threadKind"),
            constant(Served.class, event, "served"));
    ArenaFigures more = new ArenaFigures();
    more.addAllocations(event.getLong("allocations"));
    more.totals().add(parsed(Scale.BYTES, event, "totals"));
    more.totalBytes().add(parsed(Scale.BYTES, event, "totalBytes"));
    more.footprints().add(parsed(Scale.FOOTPRINTS, event, "footprints"));
    more.largest().add(parsed(Scale.BYTES, event, "largest"));
    more.alignments().add(parsed(Scale.ALIGNMENTS, event, "alignments"));
    more.depths().add(parsed(Scale.DEPTHS, event, "depths"));
    group.add(more);
    figures.addBlock();
  }

  private void site(RecordedEvent event) {
    figures.addSite(
        text(event, "site"),
        new SiteFigures(
            count(event, "arenas"),
            count(event, "allocations"),
            count(event, "bytes"),
            count(event, "fromSlab"),
            count(event, "largestTotal"),
            count(event, "deepest"),
            parsed(Scale.FOOTPRINTS, event, "footprints")));
  }

  private void settings(RecordedEvent event) {
    figures.addSetting(
        new Setting(
            text(event, "version"),
            event.getBoolean("arenas"),
            count(event, "slabByteSize"),
            event.getInt("slabsPerThread"),
            text(event, "rockpoolState"),
            Runtime.Version.parse(text(event, "jdk")).toString(),
            event.getInt("processors")));
    figures.addUsage(event.getLong("processorTime"), event.getLong("threads"));
    figures.addFact("rockpool", text(event, "version"));
    figures.addFact("jdk", text(event, "jdk"));
    for (String field : List.of("program", "host")) {
      if (event.hasField(field)) {
        figures.addFact(field, text(event, field));
      }
    }
  }

  private static Histogram parsed(Scale scale, RecordedEvent event, String field) {
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
}
