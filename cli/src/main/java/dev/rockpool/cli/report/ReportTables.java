package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.Spread.Range;
import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.report.recording.Scale;
import dev.rockpool.cli.report.recording.Served;
import dev.rockpool.cli.report.recording.Setting;
import dev.rockpool.cli.report.recording.SiteFigures;
import dev.rockpool.cli.report.recording.Skipped;
import dev.rockpool.cli.report.recording.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables that text and page share. */
final class ReportTables {
  /** The number of call sites that are listed; all of them are in the JSON. */
  static final int SITES = 30;

  private ReportTables() {}

  static Table shares(Report report) {
    return new Table(
        "Bytes per arena",
        Columns.NUMBERS,
        List.of("metric", "value"),
        Shares.rows(report.figures()));
  }

  static Table ranges(String caption, Report report, List<Range> ranges) {
    ArenaFigures all = report.all();
    List<List<String>> rows =
        ranges.stream()
            .map(
                range ->
                    List.of(
                        range.label(),
                        Numbers.count(range.arenas()),
                        Numbers.share(range.arenas(), all.arenas()),
                        Numbers.count(range.bytes()),
                        Numbers.share(range.bytes(), all.bytes())))
            .toList();
    return numbers(caption, List.of("bytes", "arenas", "of arenas", "in all", "of bytes"), rows);
  }

  static Table hitRates(Report report) {
    HitRates rates = report.hitRates();
    List<List<String>> rows = new ArrayList<>();
    for (HitRate rate : rates.all()) {
      rows.add(
          List.of(
              Numbers.size(rate.slabByteSize()),
              Numbers.count(rate.surely()),
              Numbers.share(rate.surely(), rates.allocating()),
              Numbers.share(rate.perhaps(), rates.allocating()),
              Numbers.share(rate.surely() + report.all().empty(), report.all().arenas())));
    }
    return numbers(
        "Arenas that fit in one slab",
        List.of("slab", "arenas", "of allocating", "at most", "of all"),
        rows);
  }

  /** By kind of thread. */
  static Table gain(Forecast forecast) {
    List<List<String>> rows = new ArrayList<>();
    forecast
        .calibration()
        .costs()
        .forEach(
            (load, cost) ->
                rows.add(
                    List.of(
                        name(load.kind()),
                        load.waits() ? Numbers.count(load.atOnce()) : "none",
                        load.perThread() > 0 ? Numbers.count(load.perThread()) : "many",
                        Numbers.count(load.arenas()),
                        cost.gain().text(Numbers::time),
                        cost.start().text(Numbers::time))));
    return numbers(
        "Savings by the pool, in processor time",
        List.of("threads", "waiting", "arenas of each", "arenas served", "gain", "start"),
        rows);
  }

  static Table sites(Report report) {
    List<Map.Entry<String, SiteFigures>> sites = Misses.sites(report.figures());
    long slab = report.setting().slabByteSize();
    long missed = sites.stream().mapToLong(site -> site.getValue().missed()).sum();
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, SiteFigures> site : sites.subList(0, Math.min(SITES, sites.size()))) {
      SiteFigures figures = site.getValue();
      rows.add(
          List.of(
              site.getKey(),
              Numbers.count(figures.arenas()),
              Numbers.count(figures.missed()),
              Numbers.share(figures.missed(), missed),
              Numbers.count(Misses.tooLarge(figures, slab)),
              Numbers.count(figures.bytes()),
              Numbers.count(figures.largestTotal()),
              Numbers.count(figures.deepest())));
    }
    return numbers(
        "Call sites, by arenas that allocated and were not from the pool",
        List.of(
            "site",
            "arenas",
            "missed",
            "of misses",
            "beyond " + Numbers.size(slab),
            "bytes",
            "largest",
            "deepest"),
        rows);
  }

  static Table depths(Report report) {
    Histogram depths = report.all().depths();
    List<List<String>> rows = new ArrayList<>();
    for (long depth : depths.buckets().keySet()) {
      rows.add(
          List.of(
              depth == Scale.DEEPEST ? depth + " and more" : String.valueOf(depth),
              Numbers.count(depths.in(depth)),
              Numbers.share(depths.in(depth), depths.total()),
              depth == Scale.DEEPEST ? "-" : Numbers.share(depths.upTo(depth), depths.total())));
    }
    return numbers(
        "Arenas, by how many others of their thread were open",
        List.of("others open", "arenas", "of arenas", "so many or fewer"),
        rows);
  }

  static Table threads(Report report) {
    List<List<String>> rows = new ArrayList<>();
    for (ThreadKind kind : ThreadKind.values()) {
      ArenaFigures figures = report.figures().of(kind);
      List<String> row = new ArrayList<>();
      row.add(name(kind));
      row.add(Numbers.count(figures.arenas()));
      row.add(Numbers.share(figures.arenas(), report.all().arenas()));
      row.add(Numbers.count(figures.allocations()));
      row.add(Numbers.count(figures.bytes()));
      for (Served served : Served.values()) {
        row.add(Numbers.count(report.figures().of(kind, served).arenas()));
      }
      rows.add(row);
    }
    return numbers(
        "Arenas, by kind of thread and by who served them",
        List.of("threads", "arenas", "of arenas", "allocations", "bytes", "pool", "regular", "JDK"),
        rows);
  }

  static Table alignments(Report report) {
    return counts("Arenas, by highest alignment asked for", "alignment", report.all().alignments());
  }

  static Table largest(Report report) {
    return counts("Arenas, by largest allocation", "bytes", report.all().largest());
  }

  private static Table counts(String caption, String name, Histogram histogram) {
    List<List<String>> rows = new ArrayList<>();
    histogram
        .buckets()
        .forEach(
            (key, count) ->
                rows.add(
                    List.of(
                        Numbers.size(key) + (histogram.scale().last(key) == key ? "" : " and more"),
                        Numbers.count(count),
                        Numbers.share(count, histogram.total()))));
    return numbers(caption, List.of(name, "arenas", "of arenas"), rows);
  }

  static Table settings(Report report) {
    List<List<String>> rows = new ArrayList<>();
    for (Setting setting : report.figures().settings().keySet()) {
      rows.add(
          List.of(
              setting.version(),
              setting.pooled() ? "on" : "off",
              Numbers.count(setting.slabByteSize()),
              String.valueOf(setting.slabsPerThread()),
              setting.state(),
              setting.jdk(),
              String.valueOf(setting.processors())));
    }
    return new Table(
        "Settings of the recorded JVMs",
        Columns.WORDS,
        List.of("Rockpool", "arenas", "slab", "slabs per thread", "state", "JDK", "processors"),
        rows);
  }

  static Table files(String caption, List<Skipped> files) {
    return new Table(
        caption,
        Columns.WORDS,
        List.of("file", "why"),
        files.stream().map(file -> List.of(file.file().toString(), file.reason())).toList());
  }

  private static Table numbers(String caption, List<String> header, List<List<String>> rows) {
    return new Table(caption, Columns.NUMBERS, header, rows);
  }

  private static String name(ThreadKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
