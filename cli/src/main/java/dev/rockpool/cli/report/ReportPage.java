package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.ReportTables.Spread;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Merge.Skipped;
import dev.rockpool.cli.support.Installation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The report as a page. Each chart, whose heights are percent, has its numbers in a table. */
final class ReportPage {
  private final Page page = new Page("Rockpool report");
  private final Report report;
  private final ArenaFigures all;

  private ReportPage(Report report) {
    this.report = report;
    all = report.all();
  }

  static Page of(Report report) {
    ReportPage content = new ReportPage(report);
    content.fill();
    return content.page;
  }

  private void fill() {
    Verdict.of(report).sentences().forEach(page::paragraph);
    page.paragraph(report.summary());
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("Rockpool", Installation.version());
    terms.put("Meaning of the words", "docs/report.md");
    page.terms(terms);
    HolderTables.addTo(page, report);
    sizes();
    page.section("Call sites");
    page.table(ReportTables.sites(report));
    page.section("Threads");
    page.table(ReportTables.threads(report));
    page.foldedTable(ReportTables.settings(report));
    page.section("Recordings");
    Provenance.addTo(page, report.merge().sources());
    files("Skipped", "Files that could not be used", report.merge().skipped());
    files("Cut off", "Files of which the end is lost", report.merge().partly());
    files("Repeated", "Files that were counted once only", report.merge().repeated());
  }

  private void files(String section, String caption, List<Skipped> files) {
    if (!files.isEmpty()) {
      page.section(section);
      page.table(ReportTables.files(caption, files));
    }
  }

  private void sizes() {
    List<Spread> powers = ReportTables.powers(all);
    List<Spread> singles = ReportTables.singles(all);
    page.section("Sizes");
    page.table(ReportTables.shares(report));
    page.chart(
        "Arenas, by bytes per arena",
        bySize(powers, "% of arenas", bars("arenas", powers, Spread::arenas, all.arenas())));
    page.chart(
        "Bytes, by bytes per arena",
        bySize(powers, "% of bytes", bars("bytes", powers, Spread::bytes, all.bytes())));
    page.foldedTable(ReportTables.spread("Bytes per arena, by powers of two", all, powers));
    page.chart(
        "0 to 63 bytes per arena, byte by byte; the last one also has all larger sizes",
        Charts.withLegend(
            chart(
                singles,
                "%",
                bars("% of arenas", singles, Spread::arenas, all.arenas()),
                bars("% of bytes", singles, Spread::bytes, all.bytes()))));
    page.foldedTable(ReportTables.spread("Bytes per arena, byte by byte", all, singles));
  }

  private static JsonObject bySize(List<Spread> powers, String yName, JsonObject bars) {
    return Charts.withEachLabel(chart(powers, yName, bars), 92);
  }

  private static JsonObject chart(List<Spread> sizes, String yName, JsonObject... series) {
    List<String> labels = sizes.stream().map(Spread::label).toList();
    return Charts.of(labels, "bytes per arena", yName, List.of(series));
  }

  private static JsonObject bars(
      String name, List<Spread> sizes, ToLongFunction<Spread> part, long whole) {
    List<@Nullable Double> values = new ArrayList<>();
    for (Spread item : sizes) {
      values.add(whole == 0 ? 0 : Math.round(1e8 * part.applyAsLong(item) / whole) / 1e6);
    }
    return Charts.series("bar", name, values);
  }
}
