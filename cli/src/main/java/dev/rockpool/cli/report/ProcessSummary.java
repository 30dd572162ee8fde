package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.counted;
import static dev.rockpool.cli.report.Numbers.joined;

import dev.rockpool.cli.page.AreaChart;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.ProcessLooks.Look;
import dev.rockpool.cli.support.Installation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process over the recording: from where to where its resident set grew, and which
 * parts explain that. Of several JVMs, that with the highest resident set.
 *
 * @param looks at the process, the first one first
 * @param refused requests for direct buffers that ended by an OutOfMemoryError
 * @param hasCCode whether C code's memory was recorded by line
 */
record ProcessSummary(List<Residency> looks, long refused, boolean hasCCode) {
  /** Less is not worth a sentence, nor is less than this part of the resident set. */
  private static final long LITTLE = 16 << 20;

  private static final int LITTLE_PART = 10;

  /** From this part of the growth on, what grew is named. */
  private static final double NAMED = 0.1;

  /** More of the resident set that nothing explains is said. */
  private static final double UNEXPLAINED = 0.05;

  /** Resident sets that differ by this part count as one peak, of which the last look is shown. */
  private static final int NEARLY = 50;

  /** As many arenas come from many threads; glibc makes up to eight for each processor. */
  private static final long MANY_ARENAS = 8;

  /** Less of the resident set can't be seen in a chart. */
  private static final double VISIBLE = 0.002;

  /** Points of a chart; of more looks every second, third and so on has one. */
  private static final int POINTS = 200;

  /** Returns null if no recording has looks at its process. */
  static @Nullable ProcessSummary of(Figures figures) {
    long refused =
        figures.holders().all().stream().mapToLong(each -> each.get(Field.OUT_OF_MEMORY)).sum();
    return figures.memories().values().stream()
        .map(memory -> memory.looks().stream().map(Residency::of).toList())
        .filter(looks -> !looks.isEmpty())
        .map(looks -> new ProcessSummary(looks, refused, figures.cMemory().isKnown()))
        .max(Comparator.comparingLong(summary -> summary.peak().resident()))
        .orElse(null);
  }

  Residency first() {
    return looks.getFirst();
  }

  Residency last() {
    return looks.getLast();
  }

  Residency peak() {
    return looks.get(peakIndex());
  }

  /** While memory is being taken, it is resident before anybody has noted it. */
  private int peakIndex() {
    long most = looks.stream().mapToLong(Residency::resident).max().orElse(0);
    int peak = looks.size() - 1;
    while (looks.get(peak).resident() < most - most / NEARLY) {
      peak--;
    }
    return peak;
  }

  /** Whether the resident set has grown by much since the first look. */
  boolean hasGrown() {
    return isMuch(peak().resident() - first().resident(), peak());
  }

  /** Whether the resident set was highest in the last third of the time, by much. */
  boolean isGrowing() {
    Duration time = Duration.between(first().look().time(), last().look().time());
    var lastThird = last().look().time().minus(time.dividedBy(3));
    long before =
        looks.stream()
            .filter(each -> each.look().time().isBefore(lastThird))
            .mapToLong(Residency::resident)
            .max()
            .orElse(Long.MAX_VALUE);
    long after =
        looks.stream()
            .filter(each -> !each.look().time().isBefore(lastThird))
            .mapToLong(Residency::resident)
            .max()
            .orElse(0);
    return after > before
        && isMuch(after - before, peak())
        && isMuch(last().resident() - before, peak());
  }

  private static boolean isMuch(long bytes, Residency whole) {
    return bytes >= LITTLE && bytes >= whole.resident() / LITTLE_PART;
  }

  /** Returns the sentence that a report begins with. */
  String sentence() {
    return "Process: "
        + joined(
            refused == 0
                ? ""
                : counted(refused, "OutOfMemoryError")
                    + " said that no room was left for direct buffers",
            hasGrown() ? growth() : hasFallen() ? fall() : rest(),
            between(),
            unexplained())
        + "."
        + (hasGrown() ? remedy() : "");
  }

  private String growth() {
    Residency peak = peak();
    return "the resident set rose from %s to %s%s%s. %s"
        .formatted(
            mebi(first().resident()),
            mebi(peak.resident()),
            peak.equals(last())
                ? ""
                : ", its peak, and was %s at the end".formatted(mebi(last().resident())),
            isGrowing() ? ", and was still growing in the last third of the time" : "",
            Stream.concat(
                    changed(1).entrySet().stream()
                        .map(each -> named(each.getKey()) + " grew by " + mebi(each.getValue())),
                    changed(-1).entrySet().stream()
                        .map(each -> named(each.getKey()) + " shrank by " + mebi(each.getValue())))
                .collect(Collectors.joining(", "))
                .transform(ProcessSummary::capitalized));
  }

  private boolean hasFallen() {
    return isMuch(peak().resident() - last().resident(), peak());
  }

  private String fall() {
    return "the resident set fell from %s to %s; at its peak it had %s"
        .formatted(mebi(peak().resident()), mebi(last().resident()), largest(peak()));
  }

  /** Says of a peak between two looks, of which the parts are not known. */
  private String between() {
    long most = last().look().mostResident();
    return isMuch(most - peak().resident(), peak())
        ? "it was %s for a moment between two looks, of which the parts are not known"
            .formatted(mebi(most))
        : "";
  }

  private String rest() {
    return (looks.size() == 1
            ? "the resident set was %s: %s"
            : "the resident set stayed at about %s: %s")
        .formatted(mebi(peak().resident()), largest(peak()));
  }

  private String largest(Residency residency) {
    return residency.groups().entrySet().stream()
        .filter(each -> each.getValue() >= NAMED * residency.resident())
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(each -> named(each.getKey()) + " " + mebi(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** C code can't be told from the JVM's own malloc without tracking. */
  private String named(String group) {
    return group.equals(Residency.C) && !peak().look().isTracked() ? Residency.C_AND_JVM : group;
  }

  private String unexplained() {
    long bytes = peak().of(Residency.UNEXPLAINED);
    return bytes <= UNEXPLAINED * peak().resident()
        ? ""
        : "%s (%s) are not explained".formatted(mebi(bytes), share(bytes));
  }

  private String share(long bytes) {
    return String.format(Locale.ROOT, "%.0f %%", 100.0 * bytes / peak().resident());
  }

  /**
   * Returns the groups of parts that grew by much until the peak, or shrank, with {@code sign} -1;
   * the most first.
   */
  private Map<String, Long> changed(int sign) {
    SequencedMap<String, Long> before = first().groups();
    SequencedMap<String, Long> after = peak().groups();
    Map<String, Long> changed = new LinkedHashMap<>();
    long all = peak().resident() - first().resident();
    Stream.concat(before.keySet().stream(), after.keySet().stream())
        .distinct()
        .map(
            name ->
                Map.entry(
                    name, sign * (after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L))))
        .filter(each -> each.getValue() >= Math.max(1.0, NAMED * all))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(each -> changed.put(each.getKey(), each.getValue()));
    return changed;
  }

  /** Says what to do about the part that grew most. */
  private String remedy() {
    String most = changed(1).keySet().stream().findFirst().orElse("");
    return switch (most) {
      case Residency.C ->
          (hasCCode
                  ? " The tables 'C code by line' and 'Objects that own C memory' have the lines."
                  : " Of C code, the report has the objects that own its memory, where they are"
                      + " known, and with '"
                      + Installation.command("record", "--c")
                      + "' the lines that allocate.")
              + (peak().look().isTracked()
                  ? ""
                  : " Record with -XX:NativeMemoryTracking=summary to tell it from the JVM's.");
      case Residency.JAVA_CODE -> " The table 'Holders of native memory' has the lines.";
      case Residency.HEAP ->
          " The heap grows up to -Xmx: a histogram of its objects ('jcmd PID GC.class_histogram')"
              + " tells of what.";
      case Residency.JVM -> " The table has which part of the JVM.";
      case Residency.MAPPED_FILES ->
          " The kernel takes pages of files back when memory is short, without a loss.";
      case Residency.FREE ->
          " malloc keeps it for later: -XX:TrimNativeHeapInterval gives it back.";
      case Residency.MAPS_AND_JVM ->
          " Record with -XX:NativeMemoryTracking=summary to tell which of the two.";
      default -> "";
    };
  }

  void addChartTo(Page page) {
    if (looks.size() > 1) {
      page.chart(chart());
    }
  }

  void addTo(Page page) {
    String limits = peak().look().isTracked() ? "" : ", without native memory tracking";
    page.table(peak().table("Resident set at its peak, " + mebi(peak().resident()) + limits));
    if (!peak().equals(last())) {
      page.table(last().table("Resident set at the last look, " + mebi(last().resident())));
    }
    advice().forEach(page::paragraph);
  }

  private AreaChart chart() {
    int step = 1 + looks.size() / POINTS;
    List<Residency> points = new ArrayList<>();
    for (int i = 0; i < looks.size(); i++) {
      if (i % step == 0 || i == peakIndex() || i == looks.size() - 1) {
        points.add(looks.get(i));
      }
    }
    List<AreaChart.Part> parts = new ArrayList<>();
    for (String name : peak().groups().keySet()) {
      List<Double> values =
          points.stream()
              .map(each -> each.groups().getOrDefault(name, 0L) / (double) (1 << 20))
              .toList();
      double visible = peak().resident() * VISIBLE / (1 << 20);
      if (values.stream().anyMatch(value -> value >= visible)) {
        parts.add(new AreaChart.Part(named(name), values));
      }
    }
    return new AreaChart(
        "The resident set by part, in MiB, over the recording",
        points.stream()
            .map(
                each ->
                    Duration.between(first().look().time(), each.look().time()).toMillis() / 1e3)
            .toList(),
        "MiB",
        parts,
        points.indexOf(peak()),
        peak().look().available() / (double) (1 << 20));
  }

  /** Sentences on parts that somebody can do something about, where they are much. */
  List<String> advice() {
    Residency peak = peak();
    Look look = peak.look();
    List<String> advice = new ArrayList<>();
    if (!peak.isMapped()) {
      advice.add(
          "Not told apart: the JVM has no map of its memory here (command System.map), so only"
              + " files are told from the rest.");
    }
    if (isMuch(peak.of(Residency.FREE), peak) && !look.isTrimmed()) {
      advice.add(
          "Free in malloc: at least %s of the resident set is free in glibc's %s, and not given back to the system. -XX:TrimNativeHeapInterval=10000 gives it back every ten seconds.%s"
              .formatted(
                  mebi(peak.of(Residency.FREE)),
                  counted(look.mallocArenas(), "arena"),
                  look.mallocArenas() < MANY_ARENAS
                      ? ""
                      : " With MALLOC_ARENA_MAX=2 in the environment, threads share two"
                          + " arenas: that keeps less if each of many keeps a little, and"
                          + " threads may wait for each other."));
    }
    if (isMuch(peak.of(Residency.NO_SITE), peak)) {
      advice.add(
          "Held by no site: native memory tracking has %s of Java code that no recorded site holds: arenas that are not seen, or buffers that were made before the recording began."
              .formatted(mebi(peak.of(Residency.NO_SITE))));
    }
    if (isMuch(peak.cCode(), peak)) {
      advice.add(
          "C code: %s of the resident set is neither Java code's nor %s."
              .formatted(
                  mebi(peak.cCode()),
                  look.isTracked()
                      ? "the JVM's: libraries behind JNI or the linker hold it"
                      : "in the JVM's mappings: libraries behind JNI or the linker hold it, and"
                          + " the JVM some ten MiB of it. Record with"
                          + " -XX:NativeMemoryTracking=summary to tell them apart"));
    }
    return advice;
  }

  private static String capitalized(String sentence) {
    return sentence.isEmpty()
        ? "No part grew by much"
        : Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
  }

  static String mebi(long bytes) {
    return String.format(Locale.ROOT, "%,.0f MiB", bytes / (double) (1 << 20));
  }
}
