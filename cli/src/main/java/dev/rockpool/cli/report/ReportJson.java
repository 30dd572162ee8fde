package dev.rockpool.cli.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.support.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The report as JSON: all figures whole, for programs to go on with. Records have the names of
 * their components. Unknown values are null.
 */
final class ReportJson {
  /** Goes up when a reader of the old format would be misled. */
  static final int FORMAT = 5;

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
    json.addProperty("arenasPerSecond", Gain.perSecond(report));
    Gain gain = report.gain();
    json.add("gain", gain == null ? null : gain.toJson());
    json.add("all", figures(report.all()));
    JsonObject threads = new JsonObject();
    for (ThreadKind kind : ThreadKind.values()) {
      threads.add(kind.name().toLowerCase(Locale.ROOT), figures(report.figures().of(kind)));
    }
    json.add("threads", threads);
    json.add("sites", tree(report.sites()));
    json.add("holders", HolderTables.json(report));
    json.add("settings", tree(List.copyOf(report.figures().settings())));
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
}
