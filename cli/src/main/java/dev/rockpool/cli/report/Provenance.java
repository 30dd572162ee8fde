package dev.rockpool.cli.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.recording.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The files behind figures, and the JVMs that wrote them, in text, page and JSON. */
final class Provenance {
  /** The number of files that text and page list; all of them are in the JSON. */
  private static final int FILES = 20;

  private Provenance() {}

  /** A line for each file. */
  static String text(List<Source> sources) {
    return sources.stream()
            .limit(FILES)
            .map(
                source ->
                    recorded(source)
                        + source.allFacts().entrySet().stream()
                            .map(fact -> "; " + fact.getKey() + " " + fact.getValue())
                            .collect(Collectors.joining())
                        + "\n")
            .collect(Collectors.joining())
        + more(sources);
  }

  static void addTo(Page page, List<Source> sources) {
    for (Source source : sources.subList(0, Math.min(FILES, sources.size()))) {
      Map<String, String> terms = new LinkedHashMap<>();
      terms.put("file", recorded(source));
      terms.putAll(source.allFacts());
      page.terms(terms);
    }
    if (sources.size() > FILES) {
      page.paragraph(more(sources));
    }
  }

  private static String recorded(Source source) {
    return source.file() + ": " + source.begin() + ", " + Numbers.time((double) source.nanos());
  }

  private static String more(List<Source> sources) {
    return sources.size() > FILES
        ? "and " + Report.counted(sources.size() - FILES, "more file") + ", in the JSON\n"
        : "";
  }

  static JsonArray json(List<Source> sources) {
    JsonArray array = new JsonArray();
    for (Source source : sources) {
      JsonObject json = new JsonObject();
      json.addProperty("file", source.file().toString());
      json.addProperty("begin", source.begin().toString());
      json.addProperty("nanos", source.nanos());
      Source.FACTS.forEach(name -> json.addProperty(name, source.facts().get(name)));
      array.add(json);
    }
    return array;
  }
}
