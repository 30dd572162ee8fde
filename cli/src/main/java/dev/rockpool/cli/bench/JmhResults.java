package dev.rockpool.cli.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the JSON that JMH writes with {@code -rf json}. */
final class JmhResults {
  private static final String GARBAGE = "gc.alloc.rate.norm";
  private static final String UNIT = "ns/op";

  private JmhResults() {}

  /** The results in {@code file}, in its order. */
  static List<Result> read(Path file, Jvm jvm, Result.Part part) {
    try (Reader reader = Files.newBufferedReader(file)) {
      List<Result> results = new ArrayList<>();
      for (JsonElement element : JsonParser.parseReader(reader).getAsJsonArray()) {
        results.add(result(element.getAsJsonObject(), jvm, part));
      }
      return results;
    } catch (IOException | JsonParseException | IllegalStateException e) {
      throw new CommandFailure("Cannot read JMH's results " + file + ": " + e.getMessage(), e);
    }
  }

  private static Result result(JsonObject json, Jvm jvm, Result.Part part) {
    JsonObject time = json.getAsJsonObject("primaryMetric");
    String unit = time.get("scoreUnit").getAsString();
    if (!unit.equals(UNIT)) {
      throw new JsonParseException("times must be in " + UNIT + ": they are in " + unit);
    }
    return new Result(jvm, part, id(json), score(time), garbage(json), settings(json));
  }

  private static BenchmarkId id(JsonObject json) {
    Map<String, String> parameters = new TreeMap<>();
    JsonObject params = json.getAsJsonObject("params");
    if (params != null) {
      params.entrySet().forEach(e -> parameters.put(e.getKey(), e.getValue().getAsString()));
    }
    return BenchmarkId.of(json.get("benchmark").getAsString(), parameters);
  }

  /** JMH writes an error that it cannot compute as the string "NaN". */
  private static Score score(JsonObject metric) {
    return new Score(metric.get("score").getAsDouble(), metric.get("scoreError").getAsDouble());
  }

  private static Score garbage(JsonObject json) {
    JsonObject metric = json.getAsJsonObject("secondaryMetrics").getAsJsonObject(GARBAGE);
    return metric == null ? Score.of(Double.NaN) : score(metric);
  }

  private static String settings(JsonObject json) {
    int forks = json.get("forks").getAsInt();
    return forks
        + (forks == 1 ? " fork, " : " forks, each ")
        + json.get("warmupIterations").getAsInt()
        + " x "
        + json.get("warmupTime").getAsString()
        + " to warm up and "
        + json.get("measurementIterations").getAsInt()
        + " x "
        + json.get("measurementTime").getAsString()
        + " measured";
  }
}
