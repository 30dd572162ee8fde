package dev.rockpool.cli.compare;

import static dev.rockpool.cli.compare.ComparisonTable.digits;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The gain that {@code report} foretells from a recording of a program that measured itself.
 *
 * @param rows that were gone through while it was recorded
 * @param arenas that were closed meanwhile
 * @param low least ns that the pool would save, for all of them together
 * @param high most
 * @param verdict in a sentence
 */
public record Forecast(long rows, long arenas, double low, double high, String verdict) {
  /** Options of the agent that record a program as it is. */
  public static String recording(Path file) {
    return "arenas=off,record=" + file;
  }

  /** The JSON of {@code report} about a recording; the page stays beside it, too. */
  public static JsonObject report(Path recording, String... options) {
    Path folder = recording.resolveSibling("");
    String name = recording.getFileName().toString().replaceFirst("[.]jfr$", "");
    Path json = folder.resolve(name + ".json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Installation.java().toString(),
                "-Drockpool.home=" + Installation.home(),
                "-jar",
                Installation.ownClasses().toString(),
                "report",
                recording.toString(),
                "-o",
                folder.resolve(name + ".html").toString(),
                "--json",
                json.toString()));
    command.addAll(List.of(options));
    AgentRoute.run(new ProcessBuilder(command), "report", "of " + recording, folder);
    try {
      return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + json + ": " + e.getMessage(), e);
    }
  }

  static Forecast of(long rows, JsonObject report) {
    JsonObject nanos = report.getAsJsonObject("forecast").getAsJsonObject("nanos");
    return new Forecast(
        rows,
        report.getAsJsonObject("all").get("arenas").getAsLong(),
        nanos.get("low").getAsDouble(),
        nanos.get("high").getAsDouble(),
        verdict(report));
  }

  public static String verdict(JsonObject report) {
    return report.getAsJsonObject("verdict").get("worth").getAsString();
  }

  double nanosPerRow() {
    return (low + high) / 2 / rows;
  }

  double arenasPerRow() {
    return (double) arenas / rows;
  }

  /** Nanoseconds of a row. */
  String range() {
    return digits(low / rows) + " to " + digits(high / rows);
  }

  @Override
  public String toString() {
    return digits(arenasPerRow()) + " arenas a row. " + verdict;
  }
}
