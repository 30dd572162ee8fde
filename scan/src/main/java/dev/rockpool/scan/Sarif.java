package dev.rockpool.scan;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Scan.Skipped;
import dev.rockpool.scan.Verdict.Site;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Places as SARIF 2.1.0, the format of code scanners. */
record Sarif(Set<Condition> unwanted, Baseline baseline) {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  String text(Scan scan, List<Site> sites, String version) {
    JsonElement log =
        json(
            """
            {
              "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
              "version": "2.1.0",
              "runs": [{
                "tool": {"driver": {"name": "Rockpool scan", "version": %s, "rules": %s}},
                "invocations": [{
                  "executionSuccessful": %s,
                  "toolExecutionNotifications": %s
                }],
                "originalUriBaseIds": {
                  "SOURCES": {"description": {"text": "The folder of sources, whichever it is"}}
                },
                "columnKind": "utf16CodeUnits",
                "results": %s
              }]
            }
            """,
            version,
            Arrays.stream(Condition.values()).map(this::rule).toList(),
            scan.isComplete(),
            scan.skippedByReason().stream().map(Sarif::notification).toList(),
            sites.stream()
                .flatMap(site -> site.conditions().stream().map(each -> result(each, site)))
                .toList());
    return GSON.toJson(log) + "\n";
  }

  /** JSON with values in place of each {@code %s}; the text leaves out members that are null. */
  private static JsonElement json(String template, @Nullable Object... values) {
    return JsonParser.parseString(
        template.formatted(Arrays.stream(values).map(GSON::toJson).toArray()));
  }

  private String level(Condition condition) {
    return unwanted.contains(condition) ? "error" : "note";
  }

  private JsonElement rule(Condition condition) {
    return json(
        """
        {"id": %s, "shortDescription": {"text": %s}, "defaultConfiguration": {"level": %s}}
        """,
        condition.label(), condition.description(), level(condition));
  }

  private static JsonElement notification(List<Skipped> alike) {
    Skipped first = alike.getFirst();
    String more = alike.size() == 1 ? "" : " (and " + (alike.size() - 1) + " more like it)";
    return json(
        "{\"level\": \"warning\", \"message\": {\"text\": %s}}",
        "Skipped " + first.name() + ": " + first.reason() + more);
  }

  private JsonElement result(Condition condition, Site site) {
    Place place = site.finding().place();
    String kind = site.finding().kind().label();
    String known = baseline.knows(condition, site) ? "unchanged" : "new";
    return json(
        """
        {
          "ruleId": %s,
          "level": %s,
          "message": {"text": %s},
          "locations": [{
            "physicalLocation": {
              "artifactLocation": {"uri": %s, "uriBaseId": "SOURCES"},
              "region": %s
            },
            "logicalLocations": [{"name": %s, "fullyQualifiedName": %s, "kind": "function"}]
          }],
          "partialFingerprints": {"rockpoolSite/v1": %s},
          "baselineState": %s
        }
        """,
        condition.label(),
        level(condition),
        "A %s arena of %s: %s".formatted(kind, site.artifact().name(), condition.description()),
        uri(place),
        place.line() > 0 ? Map.of("startLine", place.line()) : null,
        place.method(),
        place.type() + "." + place.method(),
        condition.label() + "\t" + site.key(),
        baseline == Baseline.EMPTY ? null : known);
  }

  /** The source file in the folder of its package. */
  private static String uri(Place place) {
    String simpleName = place.type().substring(place.type().lastIndexOf('.') + 1);
    String path = place.folder() + place.source().orElse(simpleName + ".class");
    try {
      return new URI(null, null, "/" + path, null).toASCIIString().substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // any path can be quoted
    }
  }
}
