package dev.rockpool.cli.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge.Source;
import dev.rockpool.cli.support.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The report as JSON: all figures whole, for programs to go on with. Records have the names of
 * their components. Unknown values are null.
 */
final class ReportJson {
  /** Goes up when a reader of the old format would be misled. */
  static final int FORMAT = 8;

  private static final Gson GSON =
      new GsonBuilder()
          .registerTypeHierarchyAdapter(
              Path.class, (JsonSerializer<Path>) (path, _, _) -> new JsonPrimitive(path.toString()))
          .registerTypeAdapter(
              Histogram.class,
              (JsonSerializer<Histogram>) (counts, _, gson) -> gson.serialize(counts.buckets()))
          .create();

  private ReportJson() {}

  static JsonElement tree(Object content) {
    return GSON.toJsonTree(content);
  }

  static JsonObject of(Report report) {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.addProperty("rockpool", Installation.version());
    json.add("verdict", tree(Headlines.of(report)));
    json.addProperty("recordings", report.merge().sources().size());
    json.add("sources", array(report.merge().sources(), ReportJson::source));
    json.addProperty("jvms", report.figures().jvms().size());
    json.addProperty("blocks", report.figures().blocks());
    json.addProperty("recordedNanos", report.figures().recordedNanos());
    json.addProperty("processorNanos", report.figures().processorNanos());
    json.addProperty("arenasPerSecond", Gain.perSecond(report));
    Gain gain = report.gain();
    json.add("gain", gain == null ? null : gain.toJson());
    ProcessSummary process = report.process();
    json.add("processMemory", process == null ? null : process(process));
    CCodeSection cCode = report.cCode();
    json.add("cCode", cCode == null ? null : cCode.toJson());
    json.add("all", arenas(report.all()));
    JsonObject threads = new JsonObject();
    for (ThreadKind kind : ThreadKind.values()) {
      threads.add(kind.text(), arenas(report.figures().of(kind)));
    }
    json.add("threads", threads);
    json.add("sites", tree(report.sites()));
    json.add("holders", array(report.holders(), ReportJson::holder));
    json.add("owners", report.owners().toJson());
    boolean isKnown = !report.figures().inlinings().isEmpty();
    json.add("callsNotInlined", isKnown ? tree(report.figures().callsNotInlined()) : null);
    json.add("notes", tree(report.merge().notes()));
    return json;
  }

  private static JsonObject process(ProcessSummary process) {
    JsonObject json = new JsonObject();
    json.add("peak", residency(process.peak()));
    json.add("looks", array(process.looks(), ReportJson::residency));
    return json;
  }

  private static JsonObject residency(Residency residency) {
    JsonObject json = new JsonObject();
    json.addProperty("time", residency.look().time().toString());
    json.addProperty("resident", residency.resident());
    json.addProperty("isTracked", residency.look().isTracked());
    json.add("parts", tree(residency.parts()));
    return json;
  }

  static <T> JsonArray array(List<T> items, Function<T, JsonElement> each) {
    JsonArray array = new JsonArray();
    items.forEach(item -> array.add(each.apply(item)));
    return array;
  }

  private static JsonObject arenas(ArenaFigures figures) {
    JsonObject json = tree(figures).getAsJsonObject();
    json.addProperty("arenas", figures.arenas());
    json.addProperty("bytes", figures.bytes());
    return json;
  }

  static JsonObject source(Source source) {
    JsonObject json = new JsonObject();
    json.addProperty("file", source.file().toString());
    json.addProperty("begin", source.begin().toString());
    json.addProperty("nanos", source.nanos());
    source.facts().forEach(json::addProperty);
    return json;
  }

  static JsonObject holder(Holder holder) {
    JsonObject json = figures(holder.figures());
    json.addProperty("kind", holder.kind());
    json.addProperty("site", holder.site());
    json.add(
        "stacks",
        array(
            holder.stacks(),
            stack -> {
              JsonObject figures = figures(stack.figures());
              figures.addProperty("stack", stack.text());
              return figures;
            }));
    return json;
  }

  private static JsonObject figures(Map<Field, Long> figures) {
    JsonObject json = new JsonObject();
    figures.forEach((field, value) -> json.addProperty(field.key(), value));
    return json;
  }
}
