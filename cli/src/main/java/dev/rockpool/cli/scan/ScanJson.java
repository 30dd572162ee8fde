package dev.rockpool.cli.scan;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Finding.Request;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The scan as JSON. What is not known is null; names are those of enum constants, in small letters.
 */
final class ScanJson {
  /** Goes up when a reader of the old format would be misled. */
  private static final int FORMAT = 1;

  private ScanJson() {}

  static JsonObject of(Scan scan) {
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.addProperty("rockpool", Installation.version());
    json.addProperty("classes", scan.classes());
    json.add("total", tally(Tally.of(scan)));
    JsonArray artifacts = new JsonArray();
    scan.artifacts().forEach(artifact -> artifacts.add(artifact(artifact)));
    json.add("artifacts", artifacts);
    JsonArray skipped = new JsonArray();
    scan.skipped().forEach(one -> skipped.add(skipped(one)));
    json.add("skipped", skipped);
    return json;
  }

  private static JsonObject artifact(Artifact artifact) {
    JsonObject json = new JsonObject();
    json.addProperty("name", artifact.name());
    json.addProperty("classes", artifact.classes());
    json.add("tally", tally(Tally.of(artifact)));
    JsonArray sites = new JsonArray();
    artifact.findings().forEach(finding -> sites.add(finding(artifact, finding)));
    json.add("sites", sites);
    return json;
  }

  static JsonObject tally(Tally tally) {
    JsonObject json = new JsonObject();
    json.add("sites", counts(tally.sites()));
    json.add("pooling", counts(tally.poolings()));
    JsonObject confined = new JsonObject();
    confined.add("closing", counts(tally.closings()));
    confined.add("escapes", counts(tally.escapes()));
    confined.addProperty("escaping", tally.escaping());
    confined.addProperty("nested", tally.nested());
    confined.addProperty("inLoop", tally.inLoop());
    confined.add("bytes", counts(tally.sizes()));
    json.add("confined", confined);
    return json;
  }

  private static <E extends Enum<E>> JsonObject counts(Map<E, Integer> counts) {
    JsonObject json = new JsonObject();
    counts.forEach((key, count) -> json.addProperty(name(key), count));
    return json;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static JsonObject finding(Artifact artifact, Finding finding) {
    Place place = finding.place();
    JsonObject json = new JsonObject();
    json.addProperty("factory", name(finding.kind()));
    json.addProperty("class", place.type());
    json.addProperty("method", place.method());
    json.addProperty("source", place.source().orElse(null));
    json.add("line", line(place.line()));
    json.addProperty("entry", place.entry());
    json.add("release", place.release() == 0 ? JsonNull.INSTANCE : number(place.release()));
    json.addProperty("pooling", name(Pooling.of(artifact, finding)));
    json.addProperty("closing", name(finding.closing()));
    JsonArray escapes = new JsonArray();
    for (Escape escape : finding.escapes()) {
      escapes.add(name(escape));
    }
    json.add("escapes", escapes);
    json.addProperty("nested", finding.nested());
    json.addProperty("inLoop", finding.inLoop());
    JsonArray requests = new JsonArray();
    finding.requests().forEach(request -> requests.add(request(request)));
    json.add("requests", requests);
    json.add("bytes", bytes(finding.bytes()));
    return json;
  }

  private static JsonObject request(Request request) {
    JsonObject json = new JsonObject();
    json.add("bytes", bytes(request.bytes()));
    json.addProperty("repeated", request.repeated());
    json.add("line", line(request.line()));
    return json;
  }

  private static JsonElement bytes(OptionalLong bytes) {
    return bytes.isPresent() ? number(bytes.getAsLong()) : JsonNull.INSTANCE;
  }

  private static JsonElement line(int line) {
    return line < 0 ? JsonNull.INSTANCE : number(line);
  }

  private static JsonElement number(long value) {
    return new JsonPrimitive(value);
  }

  private static JsonObject skipped(Skipped skipped) {
    JsonObject json = new JsonObject();
    json.addProperty("name", skipped.name());
    json.addProperty("reason", skipped.reason());
    return json;
  }
}
