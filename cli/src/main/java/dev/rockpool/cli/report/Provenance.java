package dev.rockpool.cli.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.recording.Merge.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files behind figures, and the JVMs that wrote them, in text, page and JSON. */
final class Provenance {
  /** The number of files that text and page list; all of them are in the JSON. */
  private static final int FILES = 20;

  private Provenance() {}

  /** A line for each file. */
  static String text(List<Source> sources) {
    StringBuilder text = new StringBuilder();
    for (Source source : sources.subList(0, Math.min(FILES, sources.size()))) {
      text.append(recorded(source));
      facts(source).forEach((name, fact) -> text.append("; " + name + " " + fact));
      text.append('\n');
    }
    return text + more(sources);
  }

  static void addTo(Page page, List<Source> sources) {
    for (Source source : sources.subList(0, Math.min(FILES, sources.size()))) {
      Map<String, String> terms = new LinkedHashMap<>();
      terms.put("file", recorded(source));
      terms.putAll(facts(source));
      page.terms(terms);
    }
    if (sources.size() > FILES) {
      page.paragraph(more(sources));
    }
  }

  private static String recorded(Source source) {
    return source.file() + ": " + source.begin() + ", " + Numbers.time(source.nanos());
  }

  /** The facts by label, as far as they are recorded. */
  private static Map<String, String> facts(Source source) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (String name : Source.FACTS) {
      String fact = source.facts().get(name);
      if (fact != null) {
        facts.put(
            switch (name) {
              case "jvmArguments" -> "JVM arguments";
              case "jdk" -> "JDK";
              default -> name;
            },
            fact);
      }
    }
    return facts;
  }

  private static String more(List<Source> sources) {
    return sources.size() > FILES
        ? "and " + Numbers.counted(sources.size() - FILES, "more file") + ", in the JSON\n"
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
