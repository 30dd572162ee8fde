package dev.rockpool.scan;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Scan.Skipped;
import dev.rockpool.scan.Verdict.Site;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Places as SARIF 2.1.0, the format of code scanners. */
final class Sarif {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  /** Name of the folder of sources, which class files do not tell. */
  private static final String SOURCES = "SOURCES";

  private final Set<Condition> unwanted;
  private final Baseline baseline;

  private Sarif(Set<Condition> unwanted, Baseline baseline) {
    this.unwanted = unwanted;
    this.baseline = baseline;
  }

  static String of(
      Scan scan, List<Site> sites, Set<Condition> unwanted, Baseline baseline, String version) {
    Sarif sarif = new Sarif(unwanted, baseline);
    List<Object> results = new ArrayList<>();
    for (Site site : sites) {
      site.conditions().forEach(condition -> results.add(sarif.result(condition, site)));
    }
    List<Object> rules = Arrays.stream(Condition.values()).<Object>map(sarif::rule).toList();
    Map<String, Object> run = new LinkedHashMap<>();
    run.put(
        "tool",
        Map.of("driver", ordered("name", "Rockpool scan", "version", version, "rules", rules)));
    run.put("invocations", List.of(invocation(scan)));
    run.put(
        "originalUriBaseIds",
        Map.of(SOURCES, Map.of("description", text("The folder of sources, whichever it is"))));
    run.put("columnKind", "utf16CodeUnits");
    run.put("results", results);
    return GSON.toJson(
            ordered(
                "$schema",
                "https://json.schemastore.org/sarif-2.1.0.json",
                "version",
                "2.1.0",
                "runs",
                List.of(run)))
        + "\n";
  }

  /** An object with these names and values by turns, in that order. */
  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  private static Map<String, Object> text(String text) {
    return Map.of("text", text);
  }

  private String level(Condition condition) {
    return unwanted.contains(condition) ? "error" : "note";
  }

  private Map<String, Object> rule(Condition condition) {
    return ordered(
        "id",
        condition.label(),
        "shortDescription",
        text(condition.description()),
        "defaultConfiguration",
        Map.of("level", level(condition)));
  }

  private static Map<String, Object> invocation(Scan scan) {
    List<Object> notifications = new ArrayList<>();
    for (List<Skipped> alike : scan.skippedByReason()) {
      Skipped first = alike.getFirst();
      String more = alike.size() == 1 ? "" : " (and " + (alike.size() - 1) + " more like it)";
      notifications.add(
          ordered(
              "level",
              "warning",
              "message",
              text("Skipped " + first.name() + ": " + first.reason() + more)));
    }
    return ordered(
        "executionSuccessful", scan.isComplete(), "toolExecutionNotifications", notifications);
  }

  private Map<String, Object> result(Condition condition, Site site) {
    Finding finding = site.finding();
    Map<String, Object> result =
        ordered(
            "ruleId",
            condition.label(),
            "level",
            level(condition),
            "message",
            text(
                "A "
                    + finding.kind().label()
                    + " arena of "
                    + site.artifact().name()
                    + ": "
                    + condition.description()),
            "locations",
            List.of(location(finding.place())),
            "partialFingerprints",
            Map.of("rockpoolSite/v1", condition.label() + "\t" + site.key()));
    if (baseline != Baseline.EMPTY) {
      result.put("baselineState", baseline.knows(condition, site) ? "unchanged" : "new");
    }
    return result;
  }

  private static Map<String, Object> location(Place place) {
    Map<String, Object> physical =
        ordered("artifactLocation", ordered("uri", uri(place), "uriBaseId", SOURCES));
    if (place.line() > 0) {
      physical.put("region", Map.of("startLine", place.line()));
    }
    return ordered(
        "physicalLocation",
        physical,
        "logicalLocations",
        List.of(
            ordered(
                "name",
                place.method(),
                "fullyQualifiedName",
                place.type() + "." + place.method(),
                "kind",
                "function")));
  }

  /** The source file in the folder of its package. */
  private static String uri(Place place) {
    String type = place.type().replace('.', '/');
    String folder = type.substring(0, type.lastIndexOf('/') + 1);
    String path = folder + place.source().orElse(type.substring(folder.length()) + ".class");
    try {
      return new URI(null, null, "/" + path, null).toASCIIString().substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // any path can be quoted
    }
  }
}
