package dev.rockpool.cli.scan;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scan as a page. */
final class ScanPage {
  private ScanPage() {}

  static Page of(Scan scan, String command) {
    Page page = new Page("Rockpool scan");
    page.paragraph(ScanText.pooled(Tally.of(scan)));
    page.paragraph(ScanText.summary(scan));
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("Rockpool", Installation.version());
    terms.put("Command", command);
    page.terms(terms);
    if (!ScanTables.withArenas(scan).isEmpty()) {
      arenas(page, scan);
    }
    if (!scan.skipped().isEmpty()) {
      page.section("Skipped");
      page.table("Skipped files", Columns.WORDS, List.of("what", "why"), ScanTables.skipped(scan));
    }
    return page;
  }

  private static void arenas(Page page, Scan scan) {
    Tally total = Tally.of(scan);
    page.section("Lives");
    page.table(ScanTables.LIVES, Columns.NUMBERS, ScanTables.LIVES_HEADER, ScanTables.lives(scan));
    page.section("Sizes");
    page.chart("Places by the bytes that a confined arena is asked for, at most", sizes(total));
    page.table(ScanTables.SIZES, Columns.NUMBERS, ScanTables.sizesHeader(), ScanTables.sizes(scan));
    page.section("Places");
    for (Artifact artifact : ScanTables.withArenas(scan)) {
      page.foldedTable(
          artifact.name() + ": " + artifact.findings().size(),
          Columns.WORDS,
          List.of("place", "agent", "kind", "closed", "circumstances", "bytes"),
          artifact.findings().stream().map(finding -> row(artifact, finding)).toList());
    }
  }

  private static List<String> row(Artifact artifact, Finding finding) {
    return List.of(
        finding.place().toString(),
        Pooling.of(artifact, finding).label(),
        finding.kind().label(),
        finding.closing().label(),
        SiteText.circumstances(finding),
        SiteText.bytes(finding));
  }

  private static JsonObject sizes(Tally tally) {
    JsonArray labels = new JsonArray();
    JsonArray counts = new JsonArray();
    for (SizeClass size : SizeClass.values()) {
      labels.add(size.label());
      counts.add(tally.of(size));
    }
    JsonObject axis = new JsonObject();
    axis.addProperty("name", "bytes");
    axis.add("data", labels);
    JsonObject everyLabel = new JsonObject(); // also where the screen is narrow
    everyLabel.addProperty("interval", 0);
    everyLabel.addProperty("fontSize", 10);
    axis.add("axisLabel", everyLabel);
    JsonObject bars = new JsonObject();
    bars.addProperty("type", "bar");
    bars.addProperty("name", "places");
    bars.add("data", counts);
    JsonArray series = new JsonArray();
    series.add(bars);
    JsonObject option = new JsonObject();
    option.add("xAxis", axis);
    option.add("series", series);
    return option;
  }
}
