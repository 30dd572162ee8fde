package dev.rockpool.cli.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.report.recording.Served;
import dev.rockpool.cli.report.recording.Setting;
import dev.rockpool.cli.report.recording.SiteFigures;
import dev.rockpool.cli.report.recording.Skipped;
import dev.rockpool.cli.report.recording.ThreadKind;
import dev.rockpool.cli.support.Installation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** The report as JSON: all figures whole, for programs to go on with. What is not known is null. */
final class ReportJson {
  /** Goes up when a reader of the old format would be misled. */
  private static final int FORMAT = 2;

  private ReportJson() {}

  static JsonObject of(Report report) {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.addProperty("rockpool", Installation.version());
    JsonObject verdict = new JsonObject();
    verdict.addProperty("worth", Verdict.of(report).worth());
    verdict.addProperty("leaks", Verdict.of(report).leaks());
    verdict.addProperty("change", Verdict.of(report).change());
    json.add("verdict", verdict);
    json.addProperty("recordings", report.sources().size());
    json.add("sources", Provenance.json(report.sources()));
    json.addProperty("jvms", report.figures().jvms());
    json.addProperty("blocks", report.figures().blocks());
    json.addProperty("recordedNanos", report.figures().recordedNanos());
    json.addProperty("processorNanos", report.figures().processorNanos());
    json.addProperty("threadsMade", report.figures().threads());
    json.addProperty("virtualThreadsWithOpenArenas", report.figures().openAtOnce());
    json.add("all", figures(report.all()));
    json.add("threads", threads(report));
    json.add("slabSizes", slabSizes(report.hitRates()));
    json.add("bytesFor990Permille", number(report.hitRates().least(990)));
    json.add("bytesFor999Permille", number(report.hitRates().least(999)));
    Forecast forecast = report.forecast();
    json.add("forecast", forecast == null ? JsonNull.INSTANCE : forecast.toJson());
    json.add("sites", sites(report));
    json.add("holders", HolderTables.json(report));
    JsonArray settings = new JsonArray();
    report.figures().settings().forEach((setting, count) -> settings.add(setting(setting)));
    json.add("settings", settings);
    json.add("skipped", files(report.skipped()));
    json.add("partly", files(report.partly()));
    json.add("repeated", files(report.repeated()));
    return json;
  }

  private static JsonObject figures(ArenaFigures figures) {
    JsonObject json = new JsonObject();
    json.addProperty("arenas", figures.arenas());
    json.addProperty("allocations", figures.allocations());
    json.addProperty("bytes", figures.bytes());
    json.add("totals", histogram(figures.totals()));
    json.add("totalBytes", histogram(figures.totalBytes()));
    json.add("footprints", histogram(figures.footprints()));
    json.add("largest", histogram(figures.largest()));
    json.add("alignments", histogram(figures.alignments()));
    json.add("depths", histogram(figures.depths()));
    return json;
  }

  /** By the least value in each bucket. */
  private static JsonObject histogram(Histogram histogram) {
    JsonObject json = new JsonObject();
    histogram.buckets().forEach((key, count) -> json.addProperty(String.valueOf(key), count));
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

  private static JsonArray slabSizes(HitRates rates) {
    JsonArray array = new JsonArray();
    for (HitRate rate : rates.all()) {
      JsonObject json = new JsonObject();
      json.addProperty("slabByteSize", rate.slabByteSize());
      json.addProperty("surely", rate.surely());
      json.addProperty("perhaps", rate.perhaps());
      json.addProperty("allocating", rates.allocating());
      array.add(json);
    }
    return array;
  }

  private static JsonArray sites(Report report) {
    JsonArray array = new JsonArray();
    for (Map.Entry<String, SiteFigures> site : Misses.sites(report.figures())) {
      SiteFigures figures = site.getValue();
      JsonObject json = new JsonObject();
      json.addProperty("site", site.getKey());
      json.addProperty("arenas", figures.arenas());
      json.addProperty("missed", figures.missed());
      json.addProperty("fromSlab", figures.fromSlab());
      json.addProperty("allocations", figures.allocations());
      json.addProperty("bytes", figures.bytes());
      json.addProperty("largestTotal", figures.largestTotal());
      json.addProperty("deepest", figures.deepest());
      json.add("footprints", histogram(figures.footprints()));
      array.add(json);
    }
    return array;
  }

  private static JsonObject setting(Setting setting) {
    JsonObject json = new JsonObject();
    json.addProperty("version", setting.version());
    json.addProperty("arenas", setting.pooled());
    json.addProperty("slabByteSize", setting.slabByteSize());
    json.addProperty("slabsPerThread", setting.slabsPerThread());
    json.addProperty("state", setting.state());
    json.addProperty("jdk", setting.jdk());
    json.addProperty("processors", setting.processors());
    return json;
  }

  private static JsonArray files(List<Skipped> files) {
    JsonArray array = new JsonArray();
    for (Skipped file : files) {
      JsonObject json = new JsonObject();
      json.addProperty("file", file.file().toString());
      json.addProperty("reason", file.reason());
      array.add(json);
    }
    return array;
  }

  private static JsonElement number(OptionalLong value) {
    return value.isPresent() ? new JsonPrimitive(value.getAsLong()) : JsonNull.INSTANCE;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
