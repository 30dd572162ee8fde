package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Installation;
import java.util.LinkedHashMap;
import java.util.Map;

/** The report as a page. Each chart is followed by its numbers. */
final class ReportPage {
  static final String BY_COUNT = "Arenas, by bytes per arena";
  static final String BY_BYTES = "Bytes, by bytes per arena";
  static final String SINGLES =
      "0 to 63 bytes per arena, byte by byte; the last one also has all larger sizes";
  static final String HIT_RATES = "Arenas that fit in one slab, by its size";
  static final String DEPTHS = "Arenas, by how many others of their thread were open";

  private final Page page = new Page("Rockpool report");
  private final Report report;

  private ReportPage(Report report) {
    this.report = report;
  }

  static Page of(Report report) {
    ReportPage content = new ReportPage(report);
    content.all();
    return content.page;
  }

  private void all() {
    Verdict.of(report).sentences().forEach(page::paragraph);
    page.paragraph(report.summary());
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("Rockpool", Installation.version());
    terms.put("Meaning of the words", "docs/report.md");
    page.terms(terms);
    HolderTables.addTo(page, report);
    sizes();
    slabs();
    gain();
    page.section("Call sites");
    page.paragraph(
        "A miss is an arena that allocated and did not come from the pool. Where the pool was off,"
            + " that is each one that allocated.");
    page.table(ReportTables.sites(report));
    page.section("Nesting");
    chart(DEPTHS, Pictures.depths(report), ReportTables.depths(report));
    page.section("Threads");
    page.table(ReportTables.threads(report));
    page.section("More");
    page.foldedTable(ReportTables.largest(report));
    page.foldedTable(ReportTables.alignments(report));
    page.foldedTable(ReportTables.settings(report));
    page.section("Recordings");
    Provenance.addTo(page, report.sources());
    files();
  }

  private void sizes() {
    page.section("Sizes");
    page.table(ReportTables.shares(report));
    page.chart(BY_COUNT, Pictures.byCount(report));
    page.chart(BY_BYTES, Pictures.byBytes(report));
    page.foldedTable(
        ReportTables.ranges(
            "Bytes per arena, by powers of two", report, Spread.powers(report.all())));
    page.chart(SINGLES, Pictures.singles(report));
    page.foldedTable(
        ReportTables.ranges("Bytes per arena, byte by byte", report, Spread.singles(report.all())));
  }

  private void slabs() {
    page.section("Slab size");
    Findings.sizes(report).forEach(page::paragraph);
    chart(HIT_RATES, Pictures.hitRates(report), ReportTables.hitRates(report));
    page.paragraph(
        "Arenas that do not fit may still be served: from several slabs in a row, or from a larger"
            + " one that all threads share.");
  }

  private void gain() {
    page.section("Expected gain");
    page.paragraph(Verdict.of(report).worth());
    Forecast forecast = report.forecast();
    if (forecast != null) {
      page.table(ReportTables.gain(forecast));
      page.paragraph(forecast.calibration().description());
    }
  }

  private void files() {
    if (!report.skipped().isEmpty()) {
      page.section("Skipped");
      page.table(ReportTables.files("Files that could not be used", report.skipped()));
    }
    if (!report.partly().isEmpty()) {
      page.section("Cut off");
      page.table(ReportTables.files("Files of which the end is lost", report.partly()));
    }
    if (!report.repeated().isEmpty()) {
      page.section("Repeated");
      page.table(ReportTables.files("Files that were counted once only", report.repeated()));
    }
  }

  private void chart(String title, JsonObject option, Table table) {
    page.chart(title, option);
    page.table(table);
  }
}
