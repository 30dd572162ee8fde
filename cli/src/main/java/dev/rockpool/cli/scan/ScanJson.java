package dev.rockpool.cli.scan;

import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Skipped;
import dev.rockpool.scan.Verdict.Site;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scan as JSON, whose names are those of the components. Unknown values are null.
 *
 * @param format goes up when a reader of the old format would be misled
 */
record ScanJson(
    int format,
    String rockpool,
    int classes,
    Tally total,
    List<Artifact> artifacts,
    List<Skipped> skipped) {
  static ScanJson of(Scan scan, List<Site> sites) {
    Iterator<Site> next = sites.iterator(); // in the order of findings
    return new ScanJson(
        1,
        Installation.version(),
        scan.classes(),
        Tally.of(scan.artifacts()),
        scan.artifacts().stream()
            .map(
                artifact ->
                    new Artifact(
                        artifact.name(),
                        artifact.classes(),
                        Tally.of(List.of(artifact)),
                        artifact.findings().stream().map(_ -> json(next.next())).toList()))
            .toList(),
        scan.skipped());
  }

  private static Map<String, @Nullable Object> json(Site site) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    site.values().forEach((name, value) -> json.put(name, value.orElse(null)));
    json.remove("artifact");
    json.put("factory", json.remove("kind"));
    json.put("requests", site.finding().requests().stream().map(Request::of).toList());
    return json;
  }

  record Artifact(
      String name, int classes, Tally tally, List<Map<String, @Nullable Object>> sites) {}

  record Request(@Nullable Long bytes, boolean repeated, @Nullable Integer line) {
    static Request of(Finding.Request request) {
      return new Request(
          request.bytes().isPresent() ? request.bytes().getAsLong() : null,
          request.repeated(),
          request.line() < 0 ? null : request.line());
    }
  }
}
