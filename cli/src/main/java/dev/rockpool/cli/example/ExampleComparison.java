package dev.rockpool.cli.example;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs all workloads of an example: a JVM for each workload, side and round. */
final class ExampleComparison {
  private final ExampleJar example;
  private final int rounds;
  private final double seconds;
  private final Progress progress;

  private ExampleComparison(ExampleJar example, int rounds, double seconds, Progress progress) {
    this.example = example;
    this.rounds = rounds;
    this.seconds = seconds;
    this.progress = progress;
  }

  /** Runs {@code chosen} workloads, or all of them if none is. */
  static ExampleReport run(ExampleJar example, List<String> chosen, int rounds, double seconds) {
    List<String> all = example.workloads();
    if (!all.containsAll(chosen)) {
      throw new CommandFailure(
          "Workloads of " + example.name() + " are " + all + ": not all of these are, " + chosen);
    }
    List<String> workloads = chosen.isEmpty() ? all : chosen;
    List<WorkloadComparison> comparisons = new ArrayList<>();
    try (Progress progress = Progress.of(workloads.size() * (2 * rounds + 1))) {
      ExampleComparison runs = new ExampleComparison(example, rounds, seconds, progress);
      workloads.forEach(workload -> comparisons.add(runs.compare(workload)));
    }
    ExampleReport report = new ExampleReport(example.name(), comparisons, seconds);
    Path file = example.folder().resolve("comparison.md");
    try {
      Files.writeString(file, report.toMarkdown());
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + file + ": " + e.getMessage(), e);
    }
    return report;
  }

  private WorkloadComparison compare(String workload) {
    progress.begin(workload + " " + ExampleJar.RECORDED);
    RowFigures recorded = done(workload, ExampleJar.RECORDED, example.record(workload, seconds));
    ReportedGain reported = ReportedGain.of(example.folder(), workload);
    List<RowFigures> without = new ArrayList<>();
    List<RowFigures> with = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      without.add(measure(workload, Side.WITHOUT));
      with.add(measure(workload, Side.WITH));
    }
    WorkloadComparison comparison =
        new WorkloadComparison(workload, without, with, recorded.rowsInAll(), reported);
    comparison.check();
    return comparison;
  }

  private RowFigures measure(String workload, Side side) {
    progress.begin(workload + " " + side);
    return done(workload, side, example.measure(workload, side, seconds));
  }

  private RowFigures done(String workload, Object side, RowFigures figures) {
    progress.done(workload + " " + side + ": " + threeDigits(figures.nanos()) + " ns a row");
    return figures;
  }
}
