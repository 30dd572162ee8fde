package dev.rockpool.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report as JSON: {@code results.json}, and what the page is drawn from.
 *
 * <p>A number that is not known, or not finite, is null.
 */
final class ReportJson {
  /** Goes up when a reader of the old format would be misled. */
  private static final int FORMAT = 1;

  private ReportJson() {}

  static JsonObject of(Report report) {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    addOrigin(json, report.origin());
    JsonArray settings = new JsonArray();
    report.settings().forEach(settings::add);
    json.add("settings", settings);
    json.addProperty("caution", Report.CAUTION);
    json.addProperty("legend", Report.LEGEND);
    JsonArray comparisons = new JsonArray();
    report.comparisons().forEach(comparison -> comparisons.add(comparison(comparison)));
    json.add("comparisons", comparisons);
    JsonArray failures = new JsonArray();
    report.failures().forEach(failure -> failures.add(failure(failure)));
    json.add("failures", failures);
    return json;
  }

  private static void addOrigin(JsonObject json, Report.Origin origin) {
    json.addProperty("rockpool", origin.rockpool());
    json.addProperty("command", origin.command());
    json.addProperty("start", origin.start().toString());
    json.addProperty("seconds", origin.duration().toSeconds());
    json.addProperty("os", origin.os());
    json.addProperty("cpu", origin.cpu());
    json.add("loadBefore", number(origin.load() < 0 ? Double.NaN : origin.load()));
    JsonArray jvms = new JsonArray();
    for (Jvm jvm : origin.jvms()) {
      JsonObject object = new JsonObject();
      object.addProperty("label", jvm.label());
      object.addProperty("version", jvm.version());
      object.addProperty("vendor", jvm.vendor());
      object.addProperty("vm", jvm.vm());
      object.addProperty("home", jvm.home().toString());
      jvms.add(object);
    }
    json.add("jvms", jvms);
  }

  private static JsonObject comparison(Comparison comparison) {
    JsonObject json = new JsonObject();
    json.addProperty("part", comparison.part().name().toLowerCase(Locale.ROOT));
    json.addProperty("workload", comparison.workload());
    json.addProperty("conditions", comparison.conditions());
    json.addProperty("jvm", comparison.jvm().label());
    JsonArray rows = new JsonArray();
    comparison.rows().forEach(row -> rows.add(row(row)));
    json.add("results", rows);
    return json;
  }

  private static JsonObject row(Comparison.Row row) {
    Result result = row.result();
    JsonObject json = new JsonObject();
    json.addProperty("benchmark", result.id().name());
    json.addProperty("contestant", result.id().contestant());
    JsonObject parameters = new JsonObject();
    for (Map.Entry<String, String> parameter : result.id().parameters().entrySet()) {
      parameters.addProperty(parameter.getKey(), parameter.getValue());
    }
    json.add("parameters", parameters);
    json.add("nanos", number(result.time().value()));
    json.add("nanosError", number(result.time().error()));
    json.add("garbageBytes", number(result.garbage().value()));
    json.add("garbageBytesError", number(result.garbage().error()));
    json.add("ratio", ratio(row.ratio()));
    json.addProperty("settings", result.settings());
    return json;
  }

  private static JsonElement ratio(@Nullable Ratio ratio) {
    if (ratio == null) {
      return JsonNull.INSTANCE;
    }
    JsonObject json = new JsonObject();
    json.add("value", number(ratio.value()));
    json.add("low", number(ratio.low()));
    json.add("high", number(ratio.high()));
    json.addProperty("text", ratio.text());
    return json;
  }

  private static JsonObject failure(Report.Failure failure) {
    JsonObject json = new JsonObject();
    json.addProperty("what", failure.what());
    json.addProperty("reason", failure.reason());
    return json;
  }

  private static JsonElement number(double value) {
    return Double.isFinite(value) ? new JsonPrimitive(value) : JsonNull.INSTANCE;
  }
}
