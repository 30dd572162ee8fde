package dev.rockpool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The ceiling that a bound of 1,600 bytes leaves to what Java code has in use. */
class ProcessBoundTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long start = System.nanoTime();
  private long inUse;
  private long ceiling;
  private int collections;

  private final ProcessBound bound =
      new ProcessBound(
          1600,
          new LimitedMemory() {
            @Override
            public long inUse() {
              return inUse;
            }

            @Override
            public long limit() {
              return Long.MAX_VALUE;
            }

            @Override
            public long refused() {
              return 0;
            }

            @Override
            public void setCeiling(long byteSize) {
              ceiling = byteSize;
            }

            @Override
            public void askForCollection() {
              collections++;
            }

            @Override
            public void attachWatch(Supplier<String> figures, Runnable toldOfRefusals) {
              throw new AssertionError();
            }
          });

  @Test
  void isWhatTheRestOfTheProcessLeaves() {
    inUse = 300;
    bound.look(1000, start);
    assertThat(ceiling).isEqualTo(900);
    inUse = 800;
    bound.look(1500, start + SECOND / 20);
    assertThat(ceiling).isEqualTo(900);
    assertThat(collections).isZero();
  }

  /** It would let others take the same room. */
  @Test
  void memoryThatIsNotResidentYetCountsForTheRestThatWasThere() {
    inUse = 300;
    bound.look(1000, start);
    inUse = 900;
    bound.look(1100, start + SECOND / 20);
    assertThat(ceiling).isEqualTo(900);
  }

  @Test
  void aRestThatOnlySeemedLargerLeavesMoreAfterAWhile() {
    inUse = 200;
    bound.look(1000, start);
    inUse = 500;
    bound.look(1000, start + SECOND / 20);
    assertThat(ceiling).isEqualTo(800);
    bound.look(1000, start + SECOND / 5);
    bound.look(1000, start + 2 * SECOND / 5);
    assertThat(ceiling).isEqualTo(1100);
  }

  @Test
  void nothingIsChargedFromTheBoundOnUntilASixteenthIsFree() {
    inUse = 300;
    bound.look(1600, start);
    assertThat(ceiling).isEqualTo(300);
    bound.look(1601, start);
    assertThat(ceiling).isNegative();
    assertThat(collections).isOne();
    bound.look(1501, start + 5 * SECOND);
    assertThat(ceiling).isNegative();
    bound.look(1500, start + 10 * SECOND);
    bound.look(1500, start + 15 * SECOND);
    assertThat(ceiling).isEqualTo(400);
  }

  @Test
  void theRestOfAProcessThatReturnsLittleLeavesWhatIsThereAfterTenSeconds() {
    bound.look(1601, start);
    bound.look(1550, start + 9 * SECOND);
    assertThat(ceiling).isNegative();
    bound.look(1550, start + 10 * SECOND);
    bound.look(1550, start + 12 * SECOND);
    assertThat(ceiling).isEqualTo(50);
  }
}
