package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.joined;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Flames;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Merge.Source;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Headline.Tone;
import dev.rockpool.cli.support.Installation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The call sites of two recordings, a and b, side by side; by method, because lines move between
 * builds.
 *
 * @param sources of a, then of b
 * @param nanosA length of a, as that of b
 * @param processA the memory of a's process, as that of b; null if it is not known
 */
record Compared(
    List<Source> sources,
    long nanosA,
    long nanosB,
    List<Row> sites,
    @Nullable ProcessSummary processA,
    @Nullable ProcessSummary processB) {
  /** Live bytes changed if they differ by this factor, and by this many bytes. */
  private static final double CLEARLY = 1.1;

  private static final long LITTLE = 4096;

  /** Resident sets changed if they differ by that factor, and by this many bytes. */
  private static final long LITTLE_OF_PROCESS = 16 << 20;

  /** Leaks, or lengths, differ from this factor on: leaks are found late. */
  private static final double MUCH = 1.5;

  record Row(Holder a, Holder b) {
    private double change(ToDoubleFunction<Holder> figure) {
      return Math.abs(figure.applyAsDouble(b) - figure.applyAsDouble(a));
    }
  }

  private static final Comparator<Row> MOST_CHANGED =
      Comparator.<Row>comparingDouble(row -> row.change(site -> site.get(Field.LIVE_BYTES)))
          .thenComparingDouble(row -> row.change(Holder::leaks))
          .thenComparingDouble(row -> row.change(site -> site.get(Field.OPENED)))
          .reversed();

  static Compared of(Merge inA, Merge inB) {
    Map<String, Holder> a = byMethod(inA);
    Map<String, Holder> b = byMethod(inB);
    List<Row> rows = new ArrayList<>();
    a.forEach((name, site) -> rows.add(new Row(site, b.getOrDefault(name, none(site)))));
    b.forEach((name, site) -> rows.add(new Row(none(site), site)));
    rows.removeIf(row -> row.a.get(Field.OPENED) == 0 && a.containsKey(row.b.name()));
    rows.sort(MOST_CHANGED);
    return new Compared(
        Stream.of(inA, inB).flatMap(merge -> merge.sources().stream()).toList(),
        age(a),
        age(b),
        rows,
        ProcessSummary.of(inA.figures()),
        ProcessSummary.of(inB.figures()));
  }

  private static Map<String, Holder> byMethod(Merge merge) {
    Map<String, Holder> sites = new LinkedHashMap<>();
    merge.figures().holders().all(Compared::method).stream()
        .filter(Holder::isSite)
        .forEach(site -> sites.put(site.name(), site));
    return sites;
  }

  private static String method(String frame) {
    return frame.replaceAll(":\\d+(?=,|$)", "");
  }

  private static Holder none(Holder site) {
    return Holder.of(site.kind(), site.site());
  }

  private static long age(Map<String, Holder> sites) {
    return sites.values().stream().mapToLong(site -> site.get(Field.AGE)).max().orElse(0);
  }

  private static double perSecond(Holder site, long count) {
    return site.get(Field.AGE) == 0 ? 0 : 1e9 * count / site.get(Field.AGE);
  }

  /** Better, worse, the same or not comparable; and what is new. */
  List<Headline> verdict() {
    String fresh = named("", row -> row.a.get(Field.OPENED) == 0);
    String gone = named("; gone: ", row -> row.b.get(Field.OPENED) == 0);
    String news = "New in b: " + (fresh.isEmpty() ? "nothing" : fresh) + gone + ".";
    return List.of(judgement(), new Headline(Tone.NEITHER, news));
  }

  private Headline judgement() {
    String worse =
        joined(
            named("leaks in b only: ", row -> row.a.leaks() == 0 && row.b.leaks() > 0),
            named("leaks more in b: ", row -> leaksMore(row.a, row.b)));
    String better =
        joined(
            named("leaks in a only: ", row -> row.b.leaks() == 0 && row.a.leaks() > 0),
            named("leaks less in b: ", row -> leaksMore(row.b, row.a)));
    double before = bytes(Row::a, false);
    double after = bytes(Row::b, false);
    double garbageBefore = bytes(Row::a, true);
    double garbageAfter = bytes(Row::b, true);
    double residentBefore = resident(processA);
    double residentAfter = resident(processB);
    String all =
        joined(
            residentBefore == 0 || residentAfter == 0
                ? ""
                : change("resident set at its peak ", residentBefore, residentAfter),
            worse,
            better,
            change("live bytes at that time ", before, after),
            garbageBefore == 0 && garbageAfter == 0
                ? ""
                : change(
                    "mapped, or freed by a collection, at most ", garbageBefore, garbageAfter));
    if (Math.max(nanosA, nanosB) > MUCH * Math.min(nanosA, nanosB)) {
      return new Headline(
          Tone.NEITHER,
          "Not comparable, record both for as long: a lasted %s and b %s; %s."
              .formatted(Numbers.time(nanosA), Numbers.time(nanosB), all));
    }
    boolean isWorse =
        !worse.isEmpty()
            || isMore(before, after)
            || isMuchMore(residentBefore, residentAfter)
            || isMuchMore(garbageBefore, garbageAfter);
    boolean isBetter =
        !better.isEmpty()
            || isMore(after, before)
            || isMuchMore(residentAfter, residentBefore)
            || isMuchMore(garbageAfter, garbageBefore);
    return isWorse
        ? new Headline(Tone.BAD, "Worse: " + all + ".")
        : isBetter
            ? new Headline(Tone.GOOD, "Better: " + all + ".")
            : new Headline(Tone.NEITHER, "The same: " + all + ".");
  }

  private static String change(String what, double before, double after) {
    String from = Numbers.bytes((long) before);
    String to = Numbers.bytes((long) after);
    return what + (before == after ? to : from + " -> " + to);
  }

  private static double resident(@Nullable ProcessSummary process) {
    return process == null ? 0 : (double) process.peak().resident();
  }

  /** Whole processes differ a little from one run to the next. */
  private static boolean isMuchMore(double less, double more) {
    return less > 0 && more - less >= LITTLE_OF_PROCESS && more > CLEARLY * less;
  }

  /**
   * Returns the bytes at the peak of the process; of sites whose memory a collection frees, or of
   * others.
   */
  private double bytes(Function<Row, Holder> side, boolean collected) {
    return sites.stream()
        .map(side)
        .filter(site -> site.isCollected() == collected)
        .mapToDouble(Holder::bytesAtPeak)
        .sum();
  }

  private static boolean leaksMore(Holder less, Holder more) {
    return less.leaks() > 0 && more.leaks() > MUCH * less.leaks();
  }

  private static boolean isMore(double less, double more) {
    return more - less >= LITTLE && more > CLEARLY * less;
  }

  private String named(String what, Predicate<Row> which) {
    return Numbers.sites(what, sites.stream().filter(which).map(row -> row.a.name()).toList());
  }

  private static Table parts(Map<String, Long> a, Map<String, Long> b) {
    Set<String> names = new LinkedHashSet<>(a.keySet());
    names.addAll(b.keySet());
    return Table.each(names)
        .column("part of the resident set", name -> name)
        .column("a, MiB", name -> Residency.mebi(a.getOrDefault(name, 0L)))
        .column("b, MiB", name -> Residency.mebi(b.getOrDefault(name, 0L)))
        .column(
            "more, MiB",
            name -> Residency.mebi(b.getOrDefault(name, 0L) - a.getOrDefault(name, 0L)))
        .numbers("Resident sets at their peaks, in a and b");
  }

  private Table table() {
    return Table.first(sites)
        .column("site", row -> row.a.name())
        .column("live bytes", row -> changed(row, site -> site.get(Field.LIVE_BYTES), 0))
        .column(
            "per second", row -> changed(row, site -> perSecond(site, site.get(Field.OPENED)), 1))
        .column("opened", row -> changed(row, site -> site.get(Field.OPENED), 0))
        .column("leaked", row -> changed(row, Holder::leaks, 0))
        .numbers("Sites in a -> in b");
  }

  private static String changed(Row row, ToDoubleFunction<Holder> figure, int digits) {
    double a = figure.applyAsDouble(row.a);
    double b = figure.applyAsDouble(row.b);
    String format = "%,." + digits + "f";
    String before = String.format(Locale.ROOT, format, a);
    String after = String.format(Locale.ROOT, format, b);
    return before.equals(after)
        ? after
        : before + " -> " + after + String.format(Locale.ROOT, " (%+,." + digits + "f)", b - a);
  }

  Page page() {
    Page page = new Page("Rockpool comparison", Report.glossary());
    verdict().forEach(page::verdict);
    if (processA != null && processB != null) {
      page.table(parts(processA.peak().groups(), processB.peak().groups()));
    }
    page.table(table());
    Flames flames = new Flames(Numbers::bytes);
    addLiveBytes(Row::a, flames::addBefore);
    addLiveBytes(Row::b, flames::add);
    page.flames("Live bytes in a -> in b: more in b is orange, less is blue", flames);
    Report.addSources(page.section("Recordings"), sources);
    return page;
  }

  /** By method, in stacks too. */
  private void addLiveBytes(Function<Row, Holder> side, ObjLongConsumer<List<String>> sink) {
    Report.addLiveBytes(
        sites.stream().map(side).toList(),
        (path, bytes) -> sink.accept(path.stream().map(Compared::method).toList(), bytes));
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("format", ReportJson.FORMAT);
    json.addProperty("rockpool", Installation.version());
    json.addProperty(
        "verdict", verdict().stream().map(Headline::text).collect(Collectors.joining(" ")));
    json.add("sources", ReportJson.array(sources, ReportJson::source));
    json.add(
        "sites",
        ReportJson.array(
            sites,
            row -> {
              JsonObject site = new JsonObject();
              site.addProperty("site", row.a.name());
              site.add("a", ReportJson.holder(row.a));
              site.add("b", ReportJson.holder(row.b));
              return site;
            }));
    return json;
  }
}
