package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Merge.Source;
import dev.rockpool.cli.support.Installation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The call sites of two recordings, a and b, side by side; by method, because lines move between
 * builds.
 *
 * @param sources of a, then of b
 * @param lengths a sentence where they differ by much, otherwise empty
 */
record Compared(List<Source> sources, String lengths, List<Row> sites) {
  private static final int SITES = 40;

  /** Live bytes changed if they differ by this factor, and by this many bytes. */
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

    private static Sums of(Holder site) {
      return new Sums(
          site.get(Field.LIVE),
          site.get(Field.LIVE_BYTES),
          site.get(Field.OPENED),
          site.leaks(),
          site.get(Field.AGE),
          site.leaks() > 0 || Advice.grows(site));
    }

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

    private boolean leaksFasterThan(Sums other) {
      return leaked != other.leaked
          && perSecond(leaked) > MUCH * other.perSecond(other.leaked)
          && !isFoundLaterThan(other);
    }

    /**
     * Whether this longer recording alone had time for the collection that finds leaks, and the
     * other has as many open.
     */
    private boolean isFoundLaterThan(Sums other) {
      return leaked > 0
          && other.leaked == 0
          && nanos > MUCH * other.nanos
          && perSecond(leaked) <= MUCH * other.perSecond(other.live);
    }
  }

  record Row(String site, Sums a, Sums b) {
    private long change(ToLongFunction<Sums> field) {
      return Math.abs(field.applyAsLong(b) - field.applyAsLong(a));
    }

    /** Returns the live bytes to expect in b after its time. */
    private long expected() {
      boolean growsInBoth = (a.grows && b.grows) || b.isFoundLaterThan(a) || a.isFoundLaterThan(b);
      return growsInBoth ? Math.round((double) a.liveBytes * b.nanos / a.nanos) : a.liveBytes;
    }
  }

  private static final Comparator<Row> MOST_CHANGED =
      Comparator.<Row>comparingLong(row -> row.change(Sums::liveBytes))
          .thenComparingLong(row -> row.change(Sums::leaked))
          .thenComparingLong(row -> row.change(Sums::opened))
          .reversed();

  static Compared of(Merge inA, Merge inB) {
    Map<String, Sums> a = sums(inA);
    Map<String, Sums> b = sums(inB);
    TreeSet<String> sites = new TreeSet<>(a.keySet());
    sites.addAll(b.keySet());
    return new Compared(
        Stream.of(inA, inB).flatMap(merge -> merge.sources().stream()).toList(),
        lengths(age(a), age(b)),
        sites.stream()
            .map(
                site ->
                    new Row(site, a.getOrDefault(site, Sums.NONE), b.getOrDefault(site, Sums.NONE)))
            .sorted(MOST_CHANGED)
            .toList());
  }

  private static Map<String, Sums> sums(Merge merge) {
    return merge.figures().holders().all().stream()
        .collect(
            Collectors.toMap(site -> site.name().replaceFirst(":\\d+$", ""), Sums::of, Sums::plus));
  }

  private static long age(Map<String, Sums> sites) {
    return sites.values().stream().mapToLong(Sums::nanos).max().orElse(0);
  }

  private static String lengths(long a, long b) {
    return Math.max(a, b) <= MUCH * Math.min(a, b)
        ? ""
        : "Lengths differ, "
            + Numbers.time(a)
            + " in a and "
            + Numbers.time(b)
            + " in b: so may bytes that only grow.";
  }

  /** Better, worse or the same; and what is new. */
  List<String> verdict() {
    List<String> sentences = new ArrayList<>(List.of(judgement(), news()));
    sentences.addAll(lengths.isEmpty() ? List.of() : List.of(lengths));
    return sentences;
  }

  private String judgement() {
    List<String> worse = new ArrayList<>();
    worse.add(named("leaks in b only: ", row -> row.b.leaksFasterThan(row.a) && row.a.leaked == 0));
    worse.add(
        named("leaks faster in b: ", row -> row.b.leaksFasterThan(row.a) && row.a.leaked > 0));
    List<String> better = new ArrayList<>();
    better.add(
        named("leaks in a only: ", row -> row.a.leaksFasterThan(row.b) && row.b.leaked == 0));
    better.add(
        named("leaks slower in b: ", row -> row.a.leaksFasterThan(row.b) && row.b.leaked > 0));
    List<String> neither = new ArrayList<>();
    neither.add(
        named("leaks found in b only, as many open in a: ", row -> row.b.isFoundLaterThan(row.a)));
    neither.add(
        named("leaks found in a only, as many open in b: ", row -> row.a.isFoundLaterThan(row.b)));
    long before = sum(row -> row.a.liveBytes);
    long after = sum(row -> row.b.liveBytes);
    String change = before < after ? "rose" : "fell";
    String live =
        "live bytes "
            + (before == after ? "" : change + " from " + Numbers.bytes(before) + " to ")
            + Numbers.bytes(after);
    // Sites may have stopped to grow, therefore both figures of a count as no change.
    if (isMore(sum(row -> Math.max(row.a.liveBytes, row.expected())), after)) {
      worse.add(live);
    } else if (isMore(after, sum(row -> Math.min(row.a.liveBytes, row.expected())))) {
      better.add(live);
    } else {
      boolean isChange = isMore(before, after) || isMore(after, before);
      neither.add(live + (isChange ? ", as the lengths explain" : ""));
    }
    List<List<String>> all = List.of(worse, better, neither);
    all.forEach(sentences -> sentences.removeIf(String::isEmpty));
    String word = !worse.isEmpty() ? "Worse: " : better.isEmpty() ? "The same: " : "Better: ";
    return all.stream().flatMap(List::stream).collect(Collectors.joining("; ", word, "."));
  }

  private long sum(ToLongFunction<Row> bytes) {
    return sites.stream().mapToLong(bytes).sum();
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
    return Numbers.sites(what, sites.stream().filter(which).map(Row::site).toList());
  }

  private Table table() {
    String shown = sites.size() > SITES ? ", " + SITES + " of " + sites.size() + " methods" : "";
    return Table.each(sites.subList(0, Math.min(SITES, sites.size())))
        .column("site", Row::site)
        .column("live bytes", row -> change(row, Sums::liveBytes, 0))
        .column("per second", row -> change(row, sums -> sums.perSecond(sums.opened), 1))
        .column("opened", row -> change(row, Sums::opened, 0))
        .column("leaked", row -> change(row, Sums::leaked, 0))
        .numbers("Sites in a -> in b" + shown);
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
    json.addProperty("format", ReportJson.FORMAT);
    json.addProperty("rockpool", Installation.version());
    json.addProperty("verdict", String.join(" ", verdict()));
    json.add("sources", Provenance.json(sources));
    json.add("sites", ReportJson.tree(sites));
    return json;
  }
}
