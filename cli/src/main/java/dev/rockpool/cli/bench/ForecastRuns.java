package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import dev.rockpool.cli.compare.Comparison;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.compare.ComparisonTable;
import dev.rockpool.cli.compare.Forecast;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code ./rockpool bench --forecast}: the forecast of {@code report} for whole programs, beside
 * the processor time that the agent then saves.
 */
record ForecastRuns(List<Jvm> jvms, Path jar, int rounds) {
  void run(List<WholeProgram> all, Path folder) {
    List<Comparison> comparisons = new ArrayList<>();
    List<Forecast> forecasts = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      for (WholeProgram program : all) {
        for (Jvm jvm : jvms) {
          String label = program.label() + ", " + jvm.label();
          progress.begin(label);
          comparisons.add(compare(label, program, jvm, scratch.path(), forecasts));
          progress.done(label + ": " + forecasts.getLast().verdict());
        }
      }
    }
    ComparisonTable table =
        new ComparisonTable(
            "processor time",
            "s",
            comparisons,
            forecasts,
            "Forecast: the report's range for what the agent saves from start to end.\n",
            Map.of());
    System.out.print(table.text());
    new OutputFile(OutputFile.folder(folder).resolve("forecast.json")).writeJson(table.json());
  }

  /**
   * The report calibrates between the two halves of the runs, under the same load of the machine.
   */
  private Comparison compare(
      String label, WholeProgram program, Jvm jvm, Path scratch, List<Forecast> forecasts) {
    List<String> agent = List.of("-javaagent:" + Installation.agentJar());
    List<Side> before = new ArrayList<>();
    return Comparison.of(
        label,
        rounds,
        side -> {
          if (before.size() == rounds) {
            forecasts.add(forecast(program, jvm, scratch));
          }
          before.add(side);
          List<String> options = side == Side.WITH ? agent : List.of();
          return Run.of(program.run(jvm, jar, options, side, scratch).cpuSeconds(), "");
        });
  }

  private Forecast forecast(WholeProgram program, Jvm jvm, Path scratch) {
    Path recording = scratch.resolve("recorded.jfr");
    String recorder = "-javaagent:" + Installation.agentJar() + "=" + Forecast.recording(recording);
    program.run(jvm, jar, List.of(recorder), "recorded", scratch);
    JsonObject report = Forecast.report(recording, "--jdk", jvm.home().toString());
    return Forecast.of(1, report, "netNanos", 1e9);
  }
}
