package dev.rockpool.cli.example;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What {@code report} says of a recording.
 *
 * @param arenas that did without the pool
 * @param nanos that the pool would save, for all of them together
 * @param recordedNanos how long was recorded
 */
record ReportedGain(long arenas, double nanos, long recordedNanos) {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Lets {@code report} read NAME.jfr of a folder; its page and JSON go there, too. */
  static ReportedGain of(Path folder, String name) {
    Path json = folder.resolve(name + ".json");
    List<String> command =
        List.of(
            Installation.java().toString(),
            "-jar",
            Installation.ownClasses().toString(),
            "report",
            folder.resolve(name + ".jfr").toString(),
            "-o",
            folder.resolve(name + ".html").toString(),
            "--json",
            json.toString());
    ChildProcess process =
        ChildProcess.run(new ProcessBuilder(command), folder, name + "-report", LIMIT);
    if (process.exitCode() != 0) {
      throw new CommandFailure("report failed.\n" + process.errForMessage());
    }
    try {
      return parse(JsonParser.parseString(Files.readString(json)).getAsJsonObject());
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + json + ": " + e.getMessage(), e);
    }
  }

  static ReportedGain parse(JsonObject report) {
    JsonObject toCome = report.getAsJsonObject("toCome");
    return new ReportedGain(
        toCome.get("arenas").getAsLong(),
        toCome.get("nanos").getAsDouble(),
        report.get("recordedNanos").getAsLong());
  }

  double nanosPerArena() {
    return arenas == 0 ? 0 : nanos / arenas;
  }

  double shareOfTime() {
    return recordedNanos == 0 ? 0 : nanos / recordedNanos;
  }
}
