package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.Calibration.Pairs;
import dev.rockpool.cli.report.Calibration.Run;
import dev.rockpool.cli.support.Side;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** The part of the forecast's ranges that have the true mean, in simulated calibrations. */
class CalibrationTest {
  private static final int CALIBRATIONS = 20_000;

  /** So many nanoseconds that the range is wider for nothing that can be counted. */
  private static final double NOISE = 1e12;

  private final Random random = new Random(1);

  @Test
  void aRangeOfNormalDifferencesHasTheMeanInNineteenOfTwentyCases() {
    for (double mean : new double[] {0, 0.5, 1, 2}) {
      assertThat(covered(mean, random::nextGaussian)).as("mean %s", mean).isBetween(0.94, 0.96);
    }
  }

  /** Times of both sides have a long tail, which makes no tail of the differences the longer. */
  @Test
  void aRangeOfTimesWithALongTailIsNoLessSure() {
    for (double mean : new double[] {0, 1, 2}) {
      assertThat(covered(mean, this::tail)).as("mean %s", mean).isGreaterThan(0.95);
    }
  }

  /** The worst case that the manual names: only one side has a tail. */
  @Test
  void aRangeWithATailOfOneSideHasTheMeanInSevenOfEightCases() {
    assertThat(covered(1, this::tail, () -> 1)).isBetween(0.88, 0.91);
  }

  private double tail() {
    return -Math.log(1 - random.nextDouble());
  }

  private static double covered(double mean, DoubleSupplier time) {
    return covered(mean, time, time);
  }

  private static double covered(double mean, DoubleSupplier without, DoubleSupplier with) {
    int covered = 0;
    for (int i = 0; i < CALIBRATIONS; i++) {
      Range net =
          Pairs.of(
                  1,
                  side ->
                      side == Side.WITHOUT
                          ? run(100, without.getAsDouble() + mean)
                          : run(0, with.getAsDouble()))
              .cost()
              .net();
      covered += net.low() <= NOISE * mean && NOISE * mean <= net.high() ? 1 : 0;
    }
    return (double) covered / CALIBRATIONS;
  }

  /** A run whose arenas gain for sure, so that only the net may be unsure. */
  private static Run run(double warmNanos, double start) {
    return new Run(warmNanos, NOISE * start, 0, "");
  }
}
