package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks are called until they say that they are done. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HousekeeperTest {
  private final AtomicInteger rounds = new AtomicInteger();

  /** Ends with the second round, so that no later test has it. */
  private boolean isToGoOn() {
    return rounds.incrementAndGet() < 2;
  }

  private void awaitTwoRounds() throws InterruptedException {
    Housekeeper.ensureRunning();
    while (rounds.get() < 2) {
      Thread.sleep(20);
    }
  }

  @Test
  void aTaskIsCalledAgainUntilItIsDone() throws InterruptedException {
    AtomicInteger once = new AtomicInteger();
    Housekeeper.add(() -> once.incrementAndGet() == 0);
    Housekeeper.add(this::isToGoOn);

    awaitTwoRounds();

    assertThat(once).hasValue(1);
  }

  @Test
  void aTaskThatFindsNoHeapIsCalledAgain() throws InterruptedException {
    Housekeeper.add(
        () -> {
          if (isToGoOn()) {
            throw new OutOfMemoryError("on purpose");
          }
          return false;
        });

    awaitTwoRounds();
  }

  @Test
  void aTaskThatFailsIsNotCalledAgainAndTheOthersAre() throws InterruptedException {
    AtomicInteger failed = new AtomicInteger();
    Housekeeper.add(
        () -> {
          failed.incrementAndGet();
          throw new IllegalStateException("on purpose");
        });
    Housekeeper.add(this::isToGoOn);

    awaitTwoRounds();

    assertThat(failed).hasValue(1);
  }
}
