package dev.rockpool.cli.demo;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the runs of a command took, and whether they wrote the same. All ended with exit code 0. */
final class CommandComparison {
  private final double[] secondsWithout;
  private final double[] secondsWith;

  /** Standard output of the first run, with which that of the others is compared. */
  private @Nullable Path reference;

  private boolean steadyWithout = true;
  private boolean steadyWith = true;

  CommandComparison(int runs) {
    secondsWithout = new double[runs];
    secondsWith = new double[runs];
  }

  /** Adds a run. The first one to be added is one without the agent. */
  void add(Side side, int run, ChildProcess process) {
    if (reference == null) {
      reference = process.out();
    }
    boolean same = isSame(process.out(), reference);
    if (side == Side.WITHOUT) {
      secondsWithout[run] = process.seconds();
      steadyWithout &= same;
    } else {
      secondsWith[run] = process.seconds();
      steadyWith &= same;
    }
  }

  private static boolean isSame(Path file, Path other) {
    try {
      return Files.mismatch(file, other) == -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  double[] seconds(Side side) {
    return side == Side.WITHOUT ? secondsWithout : secondsWith;
  }

  double median(Side side) {
    return Statistics.median(seconds(side));
  }

  double fastest(Side side) {
    return Arrays.stream(seconds(side)).min().orElseThrow();
  }

  /** Whether each run wrote the same to standard output. */
  boolean isIdentical() {
    return steadyWithout && steadyWith;
  }

  /** Whether the runs without the agent wrote the same; if not, identity is not to be had. */
  boolean isSteadyWithout() {
    return steadyWithout;
  }
}
