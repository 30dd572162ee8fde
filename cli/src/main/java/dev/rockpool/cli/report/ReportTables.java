package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.share;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Setting;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Merge.Skipped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables that text and page share. */
final class ReportTables {
  /** The number of call sites that are listed; all of them are in the JSON. */
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
        Numbers.count(report.figures().blocks()) + " / " + report.figures().jvms());
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

  static Table sites(Report report) {
    List<Site> sites = report.sites();
    return Table.each(sites.subList(0, Math.min(SITES, sites.size())))
        .column("site", Site::site)
        .column("arenas", Site::arenas)
        .column("of arenas", site -> share(site.arenas(), report.all().arenas()))
        .column("allocations", Site::allocations)
        .column("bytes", Site::bytes)
        .column("largest", Site::largestTotal)
        .column("from 8 Ki on", site -> site.totals().within(8 << 10, Long.MAX_VALUE))
        .numbers("Call sites of confined arenas");
  }

  static Table threads(Report report) {
    Figures figures = report.figures();
    return Table.each(List.of(ThreadKind.values()))
        .column("threads", kind -> kind.name().toLowerCase(Locale.ROOT))
        .column("arenas", kind -> figures.of(kind).arenas())
        .column("of arenas", kind -> share(figures.of(kind).arenas(), report.all().arenas()))
        .column("allocations", kind -> figures.of(kind).allocations())
        .column("bytes", kind -> figures.of(kind).bytes())
        .numbers("Arenas, by kind of thread");
  }

  static Table settings(Report report) {
    return Table.each(report.figures().settings())
        .column("Rockpool", Setting::version)
        .column("arenas", setting -> setting.arenas() ? "on" : "off")
        .column("JDK", Setting::jdk)
        .column("processors", Setting::processors)
        .words("Settings of the recorded JVMs");
  }

  static Table files(String caption, List<Skipped> files) {
    return Table.each(files)
        .column("file", Skipped::file)
        .column("why", Skipped::reason)
        .words(caption);
  }
}
