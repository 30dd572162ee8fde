package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import dev.rockpool.cli.bench.WholeProgram.Figures;
import dev.rockpool.cli.compare.Comparison;
import dev.rockpool.cli.compare.Forecast;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code ./rockpool bench --forecast}: the forecast of {@code report} for whole programs, beside
 * the processor time that the agent then saves.
 */
record ForecastRuns(List<Jvm> jvms, Path jar, int rounds) {
  /**
   * The outcome for one program.
   *
   * @param savedSeconds of processor time, of each pair of runs
   * @param forecast of the report
   */
  private record Outcome(
      String program, List<Double> savedSeconds, JsonObject forecast, String verdict) {
    double median() {
      return Statistics.median(savedSeconds.stream().mapToDouble(each -> each).toArray());
    }

    double bound(String name) {
      return forecast.getAsJsonObject("netNanos").get(name).getAsDouble() / 1e9;
    }

    @Override
    public String toString() {
      return program + ": " + verdict;
    }
  }

  void run(List<WholeProgram> all, Path folder) {
    List<Outcome> outcomes = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      for (WholeProgram program : all) {
        for (Jvm jvm : jvms) {
          String label = program.label() + ", " + jvm.label();
          progress.begin(label);
          Outcome outcome = outcome(label, program, jvm, scratch.path());
          outcomes.add(outcome);
          progress.done(outcome.toString());
        }
      }
    }
    Table table =
        Table.of("processor time", "saved", "of " + rounds, "forecast", "forecast to saved");
    for (Outcome each : outcomes) {
      double low = each.bound("low");
      double high = each.bound("high");
      table.row(
          each.program,
          seconds(each.median()),
          seconds(Collections.min(each.savedSeconds))
              + " to "
              + seconds(Collections.max(each.savedSeconds)),
          seconds(low) + " to " + seconds(high),
          String.format(Locale.ROOT, "%.2f", (low + high) / 2 / each.median()));
    }
    System.out.println(table.text());
    outcomes.forEach(System.out::println);
    System.out.println("\n" + Host.note());
    Map<String, Object> json = new LinkedHashMap<>(Host.json());
    json.put("programs", outcomes);
    new OutputFile(OutputFile.folder(folder).resolve("forecast.json")).writeJson(json);
  }

  /** The report calibrates between the two halves of the runs, in the same weather. */
  private Outcome outcome(String label, WholeProgram program, Jvm jvm, Path scratch) {
    List<Double> saved = new ArrayList<>(saved(program, jvm, rounds / 2, scratch));
    Path recording = scratch.resolve("recorded.jfr");
    String recorder = "-javaagent:" + Installation.agentJar() + "=" + Forecast.recording(recording);
    program.run(jvm, jar, List.of(recorder), "recorded", scratch);
    JsonObject report = Forecast.report(recording, "--jdk", jvm.home().toString());
    saved.addAll(saved(program, jvm, rounds - rounds / 2, scratch));
    return new Outcome(label, saved, report.getAsJsonObject("forecast"), Forecast.verdict(report));
  }

  private List<Double> saved(WholeProgram program, Jvm jvm, int pairs, Path scratch) {
    String agent = "-javaagent:" + Installation.agentJar();
    Map<Side, List<Figures>> runs =
        Comparison.byTurns(
            Side.values(),
            pairs,
            side ->
                program.run(
                    jvm, jar, side == Side.WITH ? List.of(agent) : List.of(), side, scratch));
    List<Figures> without = runs.getOrDefault(Side.WITHOUT, List.of());
    List<Figures> with = runs.getOrDefault(Side.WITH, List.of());
    List<Double> saved = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      saved.add(without.get(i).cpuSeconds() - with.get(i).cpuSeconds());
    }
    return saved;
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
