package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.share;

import dev.rockpool.cli.page.Chart;
import dev.rockpool.cli.page.Chart.Series;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The tables and charts of the report. */
final class ReportTables {
  /** The numbers of call sites that are listed; all of them are in the JSON. */
  private static final int HOLDERS = 20;

  private static final int SITES = 30;

  /** Sizes that have a bar each; the last one is for all that is more. */
  private static final int SINGLES = 64;

  /** Arenas that were asked for {@code label} bytes each, and for {@code bytes} all together. */
  record Spread(String label, long arenas, long bytes) {
    private static Spread of(String label, long least, long most, ArenaFigures figures) {
      return new Spread(
          label, figures.totals().within(least, most), figures.totalBytes().within(least, most));
    }
  }

  private ReportTables() {}

  /** The shares of small arenas, in number and in bytes. */
  static Table shares(Report report) {
    ArenaFigures all = report.all();
    Table table =
        new Table(
            "Bytes per arena", Columns.NUMBERS, List.of("metric", "value"), new ArrayList<>());
    table.row(
        "Histogram blocks / JVMs",
        Numbers.count(report.figures().blocks()) + " / " + report.figures().jvms().size());
    table.row("Confined arenas closed", Numbers.count(all.arenas()));
    table.row("Bytes allocated", Numbers.bytes(all.bytes()));
    table.row(
        "Average bytes per arena",
        all.arenas() == 0
            ? "-"
            : String.format(Locale.ROOT, "%,.2f B", (double) all.bytes() / all.arenas()));
    arenas(table, "Arenas with zero bytes", Spread.of("", 0, 0, all), all);
    arenas(table, "Arenas <= 15 bytes", Spread.of("", 0, 15, all), all);
    for (Spread each :
        List.of(
            Spread.of("<= 31 bytes", 0, 31, all),
            Spread.of("<= 63 bytes", 0, 63, all),
            Spread.of("< 64 KiB", 0, (1 << 16) - 1, all),
            Spread.of(">= 64 KiB", 1 << 16, Long.MAX_VALUE, all),
            Spread.of(">= 512 KiB", 1 << 19, Long.MAX_VALUE, all))) {
      arenas(table, "Arenas " + each.label, each, all);
      String bytes = Numbers.bytes(each.bytes) + " (" + share(each.bytes, all.bytes()) + ")";
      table.row("Bytes from arenas " + each.label, bytes);
    }
    return table;
  }

  private static void arenas(Table table, String metric, Spread part, ArenaFigures all) {
    table.row(metric, Numbers.count(part.arenas) + " (" + share(part.arenas, all.arenas()) + ")");
  }

  /** 0, 1, 2-3, 4-7 and so on, up to the largest arena. */
  static List<Spread> powers(ArenaFigures figures) {
    List<Spread> powers = new ArrayList<>();
    powers.add(Spread.of("0", 0, 0, figures));
    long largest = figures.arenas() == 0 ? 0 : figures.totals().buckets().lastKey();
    for (long least = 1; least > 0 && least <= Math.max(largest, 32); least *= 2) {
      long most = least + (least - 1);
      String label =
          least == 1
              ? "1"
              : least < 1024
                  ? least + "-" + most
                  : Numbers.size(least) + "-" + Numbers.size(most + 1);
      powers.add(Spread.of(label, least, most, figures));
    }
    return powers;
  }

  /** 0 to 63, each on its own; the last one also has all larger sizes. */
  static List<Spread> singles(ArenaFigures figures) {
    List<Spread> singles = new ArrayList<>();
    for (int size = 0; size < SINGLES - 1; size++) {
      singles.add(Spread.of(String.valueOf(size), size, size, figures));
    }
    singles.add(Spread.of(SINGLES - 1 + "+", SINGLES - 1, Long.MAX_VALUE, figures));
    return singles;
  }

  static Table spread(String caption, ArenaFigures all, List<Spread> sizes) {
    return Table.each(sizes)
        .column("bytes", Spread::label)
        .column("arenas", Spread::arenas)
        .column("of arenas", size -> share(size.arenas, all.arenas()))
        .column("in all", Spread::bytes)
        .column("of bytes", size -> share(size.bytes, all.bytes()))
        .numbers(caption);
  }

  static Table holders(List<Holder> holders) {
    String shown = holders.size() <= HOLDERS ? "" : ", %s of %s".formatted(HOLDERS, holders.size());
    return Table.each(holders.subList(0, Math.min(HOLDERS, holders.size())))
        .column("site", Holder::name)
        .column("live", holder -> holder.isSite() ? holder.get(Field.LIVE) : "-")
        .column("live bytes", holder -> holder.get(Field.LIVE_BYTES))
        .column("most bytes", ReportTables::mostBytes)
        .column("leaked", holder -> mayLeak(holder) ? holder.leaks() : "-")
        .column("leaked bytes", holder -> mayLeak(holder) ? leakedBytes(holder) : "-")
        .column("opened", holder -> holder.isSite() ? holder.get(Field.OPENED) : "-")
        .column("per second", ReportTables::rate)
        .column("median life", holder -> time(holder, Field.LIFE_MEDIAN))
        .column("in close", holder -> time(holder, Field.CLOSE_TIME))
        .column(
            "on virtual", holder -> share(holder.get(Field.ON_VIRTUAL), holder.get(Field.OPENED)))
        .numbers("Holders of native memory" + shown);
  }

  /** Whether a leak can be told from memory in use. */
  private static boolean mayLeak(Holder holder) {
    return holder.isSite() && !holder.isByAddress();
  }

  /** The bytes of single arenas that their thread left open are not known, but those of all are. */
  private static String leakedBytes(Holder holder) {
    long leaked = holder.get(Field.LEAKED_BYTES);
    return holder.leaks() == holder.get(Field.LEAKED)
        ? Numbers.count(leaked)
        : (holder.leaks() < holder.get(Field.LIVE) ? "at most " : "")
            + Numbers.count(holder.get(Field.LIVE_BYTES));
  }

  /**
   * Memory that a collection frees counts as live until then, used or not. The confined arenas that
   * are open are looked at once a second. Buffers without a site are what sites leave of the total.
   */
  private static String mostBytes(Holder holder) {
    boolean isLeast = holder.kind().equals("confined") || !holder.isSite();
    return (isLeast ? "at least " : holder.isCollected() ? "at most " : "")
        + Numbers.count(holder.mostBytes());
  }

  private static String time(Holder holder, Field field) {
    return holder.get(field) == 0 ? "-" : Numbers.time(holder.get(field));
  }

  private static String rate(Holder holder) {
    long age = holder.get(Field.AGE);
    return age == 0
        ? "-"
        : String.format(Locale.ROOT, "%,.1f", 1e9 * holder.get(Field.OPENED) / age);
  }

  static Table sites(Report report) {
    List<ArenaSite> sites = report.sites();
    return Table.each(sites.subList(0, Math.min(SITES, sites.size())))
        .column("site", ArenaSite::site)
        .column("arenas", ArenaSite::arenas)
        .column("of arenas", site -> share(site.arenas(), report.all().arenas()))
        .column("allocations", ArenaSite::allocations)
        .column("bytes", ArenaSite::bytes)
        .column("largest", ArenaSite::largestTotal)
        .column("from 512 on", site -> site.totals().within(512, Long.MAX_VALUE))
        .numbers("Closed confined arenas, by call site");
  }

  static Table threads(Report report) {
    Figures figures = report.figures();
    return Table.each(List.of(ThreadKind.values()))
        .column("threads", ThreadKind::text)
        .column("arenas", kind -> figures.of(kind).arenas())
        .column("of arenas", kind -> share(figures.of(kind).arenas(), report.all().arenas()))
        .column("allocations", kind -> figures.of(kind).allocations())
        .column("bytes", kind -> figures.of(kind).bytes())
        .numbers("Closed confined arenas, by kind of thread");
  }

  /** Adds the sizes of confined arenas. Each chart, whose heights are percent, has a table. */
  static void addSizes(Page page, Report report) {
    ArenaFigures all = report.all();
    List<Spread> powers = powers(all);
    List<Spread> singles = singles(all);
    page.table(shares(report));
    page.chart(
        chart(
            "Arenas, by bytes per arena",
            powers,
            shares("arenas", powers, Spread::arenas, all.arenas())));
    page.chart(
        chart(
            "Bytes, by bytes per arena",
            powers,
            shares("bytes", powers, Spread::bytes, all.bytes())));
    page.foldedTable(spread("Bytes per arena, by powers of two", all, powers));
    page.chart(
        chart(
            "0 to 63 bytes per arena, byte by byte; the last one also has all larger sizes",
            singles,
            shares("% of arenas", singles, Spread::arenas, all.arenas()),
            shares("% of bytes", singles, Spread::bytes, all.bytes())));
    page.foldedTable(spread("Bytes per arena, byte by byte", all, singles));
  }

  private static Chart chart(String title, List<Spread> sizes, Series... series) {
    List<String> labels = sizes.stream().map(Spread::label).toList();
    return new Chart(title, "bytes per arena", labels, 100, " %", List.of(series));
  }

  private static Series shares(
      String name, List<Spread> sizes, ToLongFunction<Spread> part, long whole) {
    return new Series(
        name,
        sizes.stream()
            .map(size -> whole == 0 ? 0 : 100.0 * part.applyAsLong(size) / whole)
            .toList());
  }

  static Table notes(List<Note> notes) {
    return Table.each(notes)
        .column("file", Note::file)
        .column("", note -> note.kind().text())
        .column("why", Note::reason)
        .words("Files that were not used, or not whole");
  }
}
