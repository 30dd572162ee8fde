package dev.rockpool.cli.report;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Source;
import dev.rockpool.cli.support.Installation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The call sites of two recordings, a and b, side by side; by method, because lines move between
 * builds.
 *
 * @param sources of a, then of b
 * @param lengths a sentence where they differ by much, otherwise empty
 * @param withoutHolders the recordings that know confined arenas by site only: live bytes and leaks
 *     are then left out
 */
record Compared(
    List<Source> sources, String lengths, List<Row> sites, List<String> withoutHolders) {
  private static final int SITES = 40;

  /** A change in live bytes is one from this factor and from this many bytes on. */
  private static final double CLEARLY = 1.1;

  private static final long LITTLE = 4096;

  /** Leaks each second, or lengths, differ from this factor on: leaks are found late. */
  private static final double MUCH = 1.5;

  /**
   * The sums of one method in one recording.
   *
   * @param nanos the age of the oldest site
   * @param grows whether a site leaks or only grows, so that live bytes depend on the length
   */
  record Sums(long live, long liveBytes, long opened, long leaked, long nanos, boolean grows) {
    private static final Sums NONE = new Sums(0, 0, 0, 0, 0, false);

    private Sums plus(Sums other) {
      return new Sums(
          live + other.live,
          liveBytes + other.liveBytes,
          opened + other.opened,
          leaked + other.leaked,
          Math.max(nanos, other.nanos),
          grows || other.grows);
    }

    private double perSecond(long count) {
      return nanos == 0 ? 0 : 1e9 * count / nanos;
    }

    private double perSecond() {
      return perSecond(opened);
    }
  }

  record Row(String site, Sums a, Sums b) {
    private boolean leaksFasterInB() {
      return b.leaked != a.leaked
          && b.perSecond(b.leaked) > MUCH * a.perSecond(a.leaked)
          && !isFoundLater();
    }

    /**
     * Whether the longer b alone had time for the collection that finds leaks, and a has as many
     * open.
     */
    private boolean isFoundLater() {
      return b.leaked > 0
          && a.leaked == 0
          && b.nanos > MUCH * a.nanos
          && b.perSecond(b.leaked) <= MUCH * a.perSecond(a.live);
    }

    private Row swapped() {
      return new Row(site, b, a);
    }

    private long change() {
      return Math.abs(b.liveBytes - a.liveBytes);
    }

    /** Live bytes to expect in b after its time. */
    private long expected() {
      return a.grows && b.grows
          ? Math.round((double) a.liveBytes * b.nanos / a.nanos)
          : a.liveBytes;
    }
  }

  static Compared of(Merge inA, Merge inB) {
    Figures a = inA.figures();
    Figures b = inB.figures();
    List<String> without = new ArrayList<>();
    if (a.holders().all().isEmpty()) {
      without.add("a");
    }
    if (b.holders().all().isEmpty()) {
      without.add("b");
    }
    Map<String, Sums> ofA = sums(a, without.isEmpty());
    Map<String, Sums> ofB = sums(b, without.isEmpty());
    TreeSet<String> sites = new TreeSet<>(ofA.keySet());
    sites.addAll(ofB.keySet());
    List<Row> rows =
        sites.stream()
            .map(
                site ->
                    new Row(
                        site, ofA.getOrDefault(site, Sums.NONE), ofB.getOrDefault(site, Sums.NONE)))
            .sorted(
                Comparator.comparingLong(Row::change)
                    .thenComparingLong(row -> Math.abs(row.b.leaked - row.a.leaked))
                    .thenComparingLong(row -> Math.abs(row.b.opened - row.a.opened))
                    .reversed())
            .toList();
    return new Compared(
        Stream.of(inA, inB).flatMap(merge -> merge.sources().stream()).toList(),
        lengths(age(a), age(b)),
        rows,
        without);
  }

  private static long age(Figures figures) {
    return figures.holders().all().stream().mapToLong(site -> site.get(Field.AGE)).max().orElse(0);
  }

  private static String lengths(long a, long b) {
    return Math.max(a, b) <= MUCH * Math.min(a, b)
        ? ""
        : "Lengths differ, "
            + Numbers.time((double) a)
            + " in a and "
            + Numbers.time((double) b)
            + " in b: so may bytes that only grow.";
  }

  private static Map<String, Sums> sums(Figures figures, boolean byHolders) {
    Map<String, Sums> sums = new HashMap<>();
    if (byHolders) {
      figures
          .holders()
          .all()
          .forEach(
              site ->
                  sums.merge(
                      method(site.kind(), site.site()),
                      new Sums(
                          site.get(Field.LIVE),
                          site.get(Field.LIVE_BYTES),
                          site.get(Field.OPENED),
                          site.get(Field.LEAKED),
                          site.get(Field.AGE),
                          site.get(Field.LEAKED) > 0 || Advice.grows(site)),
                      Sums::plus));
    } else {
      figures
          .sites()
          .forEach(
              (name, site) ->
                  sums.merge(
                      method("confined", name),
                      new Sums(0, 0, site.arenas(), 0, figures.recordedNanos(), false),
                      Sums::plus));
    }
    return sums;
  }

  private static String method(String kind, String site) {
    return kind + " " + site.replaceFirst(":\\d+$", "");
  }

  /** Better, worse or the same; and what is new. */
  List<String> verdict() {
    return withoutHolders.isEmpty() && !lengths.isEmpty()
        ? List.of(judgement(), news(), lengths)
        : List.of(judgement(), news());
  }

  private String judgement() {
    if (!withoutHolders.isEmpty()) {
      return "Not comparable in live bytes and leaks: holders were not recorded in "
          + String.join(" and ", withoutHolders)
          + ".";
    }
    List<String> worse = new ArrayList<>();
    worse.add(named("leaks in b only: ", row -> row.leaksFasterInB() && row.a.leaked == 0));
    worse.add(named("leaks faster in b: ", row -> row.leaksFasterInB() && row.a.leaked > 0));
    List<String> better = new ArrayList<>();
    better.add(
        named("leaks in a only: ", row -> row.swapped().leaksFasterInB() && row.b.leaked == 0));
    better.add(
        named("leaks slower in b: ", row -> row.swapped().leaksFasterInB() && row.b.leaked > 0));
    long before = sites.stream().mapToLong(row -> row.a.liveBytes).sum();
    long after = sites.stream().mapToLong(row -> row.b.liveBytes).sum();
    // Sites may have stopped to grow, therefore both figures of a count as no change.
    long least = sites.stream().mapToLong(row -> Math.min(row.a.liveBytes, row.expected())).sum();
    long most = sites.stream().mapToLong(row -> Math.max(row.a.liveBytes, row.expected())).sum();
    String live =
        before == after
            ? "live bytes " + Numbers.bytes(after)
            : "live bytes "
                + (before < after ? "rose" : "fell")
                + " from "
                + Numbers.bytes(before)
                + " to "
                + Numbers.bytes(after);
    List<String> neither = new ArrayList<>();
    neither.add(named("leaks found in b only, as many open in a: ", Row::isFoundLater));
    neither.add(
        named("leaks found in a only, as many open in b: ", row -> row.swapped().isFoundLater()));
    if (isMore(most, after)) {
      worse.add(live);
    } else if (isMore(after, least)) {
      better.add(live);
    } else {
      neither.add(
          isMore(before, after) || isMore(after, before)
              ? live + ", as the lengths explain"
              : live);
    }
    worse.removeIf(String::isEmpty);
    better.removeIf(String::isEmpty);
    neither.removeIf(String::isEmpty);
    String word = !worse.isEmpty() ? "Worse: " : better.isEmpty() ? "The same: " : "Better: ";
    worse.addAll(better);
    worse.addAll(neither);
    return word + String.join("; ", worse) + ".";
  }

  private static boolean isMore(long less, long more) {
    return more - less >= LITTLE && more > CLEARLY * less;
  }

  private String news() {
    String fresh = named("", row -> row.a.opened == 0);
    String gone = named("; gone: ", row -> row.b.opened == 0);
    return "New in b: " + (fresh.isEmpty() ? "nothing" : fresh) + gone + ".";
  }

  /** Names the sites, or nothing if there are none. */
  private String named(String what, Predicate<Row> which) {
    List<String> names = sites.stream().filter(which).map(Row::site).toList();
    return names.isEmpty()
        ? ""
        : what
            + (names.size() == 1
                ? names.getFirst()
                : Report.counted(names.size(), "site") + ", first " + names.getFirst());
  }

  private Table table() {
    List<List<String>> rows =
        sites.stream()
            .limit(SITES)
            .map(
                row ->
                    List.of(
                        row.site,
                        known(row, Sums::liveBytes),
                        change(row, Sums::perSecond, 1),
                        change(row, Sums::opened, 0),
                        known(row, Sums::leaked)))
            .toList();
    return new Table(
        "Sites in a -> in b"
            + (sites.size() > SITES ? ", " + SITES + " of " + sites.size() + " methods" : ""),
        Columns.NUMBERS,
        List.of("site", "live bytes", "per second", "arenas", "leaked"),
        rows);
  }

  private String known(Row row, ToDoubleFunction<Sums> field) {
    return withoutHolders.isEmpty() ? change(row, field, 0) : "-";
  }

  private static String change(Row row, ToDoubleFunction<Sums> field, int digits) {
    double a = field.applyAsDouble(row.a);
    double b = field.applyAsDouble(row.b);
    String format = "%,." + digits + "f";
    String before = String.format(Locale.ROOT, format, a);
    String after = String.format(Locale.ROOT, format, b);
    return before.equals(after)
        ? after
        : before + " -> " + after + String.format(Locale.ROOT, " (%+,." + digits + "f)", b - a);
  }

  String text() {
    return String.join("\n", verdict()) + "\n\n" + Provenance.text(sources) + "\n" + table().text();
  }

  String html() {
    Page page = new Page("Rockpool comparison");
    verdict().forEach(page::paragraph);
    page.table(table());
    Provenance.addTo(page.section("Recordings"), sources);
    return page.html();
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("format", 2);
    json.addProperty("rockpool", Installation.version());
    json.addProperty("verdict", String.join(" ", verdict()));
    json.add("sources", Provenance.json(sources));
    json.add("withoutHolders", new Gson().toJsonTree(withoutHolders));
    json.add("sites", new Gson().toJsonTree(sites));
    return json;
  }
}
