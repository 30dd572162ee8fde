package dev.rockpool.cli.compare;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The gain that {@code report} predicts from a recording.
 *
 * @param rows units of work, such as rows of a query, done while it was recorded; 1 for a process
 * @param arenas that were closed meanwhile
 * @param low least time that the pool would save, for all of them together
 * @param high most
 * @param verdict in a sentence
 */
public record Forecast(long rows, long arenas, double low, double high, String verdict) {
  /** Options of the agent that record a program as it is. */
  public static String recordOptions(Path file) {
    return AgentRoute.AS_IT_IS + ",record=" + file;
  }

  /** Runs {@code report} on a recording; returns its JSON, and leaves the page beside it, too. */
  public static JsonObject reportOn(Path recording, String... options) {
    Path folder = recording.resolveSibling("");
    String name = recording.getFileName().toString().replaceFirst("[.]jfr$", "");
    Path json = folder.resolve(name + ".json");
    ProcessBuilder builder =
        new ProcessBuilder(
            Installation.java().toString(),
            "-Drockpool.home=" + Installation.home(),
            "-jar",
            Installation.ownClasses().toString(),
            "report",
            recording.toString(),
            "-o",
            folder.resolve(name + ".html").toString(),
            "--json",
            json.toString());
    builder.command().addAll(List.of(options));
    AgentRoute.run(builder, "report", "of " + recording, folder);
    try {
      return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + json + ": " + e.getMessage(), e);
    }
  }

  /**
   * The gain in a report.
   *
   * @param name of a range of nanoseconds in the report
   * @param unit nanoseconds of the unit to show it in
   */
  public static Forecast of(long rows, JsonObject report, String name, double unit) {
    JsonObject range = report.getAsJsonObject("forecast").getAsJsonObject(name);
    return new Forecast(
        rows,
        report.getAsJsonObject("all").get("arenas").getAsLong(),
        range.get("low").getAsDouble() / unit,
        range.get("high").getAsDouble() / unit,
        report.getAsJsonObject("verdict").get("worth").getAsString());
  }

  /** Whether it claims a gain or a loss. */
  boolean isSure() {
    return low > 0 || high < 0;
  }

  /** The middle of the range, for each row. */
  double ofRow() {
    return (low + high) / 2 / rows;
  }

  double arenasPerRow() {
    return (double) arenas / rows;
  }
}
