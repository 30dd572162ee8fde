package dev.rockpool.cli.demo;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.Measurement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs our own program without and with the agent: a JVM for each call, side and round. */
final class CallsDemo {
  private static final int ROUNDS = 3;

  private final CallJvm jvm;
  private final int rounds;
  private final Progress progress;

  private CallsDemo(CallJvm jvm, int rounds, Progress progress) {
    this.jvm = jvm;
    this.rounds = rounds;
    this.progress = progress;
  }

  static void run(boolean quick, @Nullable JsonFile json) {
    if (System.getProperty("os.name").startsWith("Windows")) {
      throw new CommandFailure(
          "The demo calls POSIX functions and needs Linux or macOS: this is "
              + System.getProperty("os.name")
              + "; try a program of your own, './rockpool demo -- java ...'");
    }
    if (json != null) {
      json.check();
    }
    int rounds = quick ? 1 : ROUNDS;
    int steps = Call.values().length * rounds * Side.values().length;
    List<CallComparison> comparisons;
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(steps)) {
      comparisons = new CallsDemo(new CallJvm(folder, quick), rounds, progress).compareAll();
    }
    CallsReport report = new CallsReport(comparisons, quick);
    System.out.print(report.toText());
    if (json != null) {
      json.write(report.toJson());
    }
  }

  private List<CallComparison> compareAll() {
    List<CallComparison> comparisons = new ArrayList<>();
    for (Call call : Call.values()) {
      CallComparison comparison = compare(call);
      progress.done(comparison.toString());
      comparisons.add(comparison);
    }
    return comparisons;
  }

  private CallComparison compare(Call call) {
    List<Measurement> without = new ArrayList<>();
    List<Measurement> with = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (Side side : Side.values()) {
        progress.begin(call.function() + " " + side);
        (side == Side.WITHOUT ? without : with).add(jvm.measure(call, side));
      }
    }
    CallComparison comparison = new CallComparison(call, without, with);
    comparison.check();
    return comparison;
  }
}
