package dev.rockpool.cli.scan;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Scan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scan as a page. */
final class ScanPage {
  private ScanPage() {}

  static Page of(Scan scan, String command) {
    Page page = new Page("Rockpool scan");
    page.paragraph(ScanText.pooled(scan));
    page.paragraph(ScanText.summary(scan));
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("Rockpool", Installation.version());
    terms.put("Command", command);
    page.terms(terms);
    if (!ScanTables.withArenas(scan).isEmpty()) {
      page.section("Lives");
      page.table(ScanTables.lives(scan));
      page.section("Sizes");
      page.chart("Places by the bytes that a confined arena is asked for, at most", sizes(scan));
      page.table(ScanTables.sizes(scan));
      page.section("Places");
      ScanTables.withArenas(scan)
          .forEach(artifact -> page.foldedTable(ScanTables.places(artifact)));
    }
    if (!scan.skipped().isEmpty()) {
      page.section("Skipped");
      page.table(ScanTables.skipped(scan));
    }
    return page;
  }

  private static JsonObject sizes(Scan scan) {
    Tally tally = Tally.of(scan.artifacts());
    List<String> labels = new ArrayList<>();
    List<@Nullable Double> counts = new ArrayList<>();
    for (SizeClass size : SizeClass.values()) {
      labels.add(size.label);
      counts.add((double) tally.of(size));
    }
    JsonObject bars = Charts.series("bar", "places", counts);
    bars.remove("label"); // small numbers, which fit
    return Charts.withEachLabel(Charts.of(labels, "bytes", "places", List.of(bars)), 60);
  }
}
