package dev.rockpool.cli.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Served;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.support.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The report as JSON: all figures whole, for programs to go on with. Records have the names of
 * their components. Unknown values are null.
 */
final class ReportJson {
  /** Goes up when a reader of the old format would be misled. */
  static final int FORMAT = 4;

  private static final Gson GSON =
      new GsonBuilder()
          .registerTypeHierarchyAdapter(
              Path.class, (JsonSerializer<Path>) (path, _, _) -> new JsonPrimitive(path.toString()))
          .registerTypeAdapter(
              Histogram.class,
              (JsonSerializer<Histogram>) (counts, _, gson) -> gson.serialize(counts.buckets()))
          .create();

  private ReportJson() {}

  /** A record, or a list of them. */
  static JsonElement tree(Object content) {
    return GSON.toJsonTree(content);
  }

  static JsonObject of(Report report) {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.addProperty("rockpool", Installation.version());
    json.add("verdict", tree(Verdict.of(report)));
    json.addProperty("recordings", report.merge().sources().size());
    json.add("sources", Provenance.json(report.merge().sources()));
    json.addProperty("jvms", report.figures().jvms());
    json.addProperty("blocks", report.figures().blocks());
    json.addProperty("recordedNanos", report.figures().recordedNanos());
    json.addProperty("processorNanos", report.figures().processorNanos());
    json.addProperty("threadsMade", report.figures().threads());
    json.addProperty("virtualThreadsWithOpenArenas", report.figures().openAtOnce());
    json.add("all", figures(report.all()));
    json.add("threads", threads(report));
    json.add("blockSizes", tree(report.hitRates().all()));
    json.addProperty("bytesFor990Permille", number(report.hitRates().least(990)));
    json.addProperty("bytesFor999Permille", number(report.hitRates().least(999)));
    Savings savings = report.savings();
    json.add("forecast", savings == null ? null : savings.toJson());
    json.add("sites", tree(report.sites().stream().map(ReportJson::site).toList()));
    json.add("holders", HolderTables.json(report));
    json.add("settings", tree(List.copyOf(report.figures().settings().keySet())));
    json.add("skipped", tree(report.merge().skipped()));
    json.add("partly", tree(report.merge().partly()));
    json.add("repeated", tree(report.merge().repeated()));
    return json;
  }

  private static JsonObject figures(ArenaFigures figures) {
    JsonObject json = tree(figures).getAsJsonObject();
    json.addProperty("arenas", figures.arenas());
    json.addProperty("bytes", figures.bytes());
    return json;
  }

  private static JsonObject threads(Report report) {
    JsonObject json = new JsonObject();
    for (ThreadKind kind : ThreadKind.values()) {
      JsonObject byServed = new JsonObject();
      for (Served served : Served.values()) {
        byServed.add(name(served), figures(report.figures().of(kind, served)));
      }
      json.add(name(kind), byServed);
    }
    return json;
  }

  private static JsonObject site(Site site) {
    JsonObject json = tree(site).getAsJsonObject();
    json.addProperty("missed", site.missed());
    return json;
  }

  private static @Nullable Long number(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
