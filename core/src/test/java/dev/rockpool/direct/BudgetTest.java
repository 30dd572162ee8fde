package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The figures of a limit are exact. */
class BudgetTest {
  private final Budget hasty = Budget.ofAgent(100, false, 0);

  private void refuse(long byteSize) {
    assertThatThrownBy(() -> hasty.charge(byteSize)).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void theHighestIsTheMostThatWasEverInUse() {
    hasty.charge(40);
    hasty.refund(30);
    hasty.charge(50);
    hasty.charge(15);
    hasty.refund(70);
    refuse(96);
    assertThat(hasty.tryCharge(96)).isFalse();
    hasty.charge(20);

    assertThat(hasty.inUse()).isEqualTo(25);
    assertThat(hasty.highest()).isEqualTo(75);
  }

  @Test
  void theHighestStartsAnewFromWhatIsInUse() {
    hasty.charge(60);
    hasty.refund(50);

    hasty.resetHighest();

    assertThat(hasty.highest()).isEqualTo(10);
    hasty.charge(20);
    assertThat(hasty.highest()).isEqualTo(30);
  }

  @Test
  void eachRequestIsRefusedOnce() {
    hasty.charge(60);
    refuse(50);
    refuse(101);
    assertThat(hasty.tryCharge(50)).as("may do without").isFalse();
    hasty.charge(40);

    assertThat(hasty.refused()).isEqualTo(2);
    assertThat(hasty.inUse()).isEqualTo(100);
  }

  @Test
  void aWarningCountsAsARefusalAndTheBytesAsInUse() {
    Budget warning = Budget.ofAgent(100, true, 0);
    warning.charge(100);
    warning.charge(7);
    warning.charge(1);

    assertThat(warning.refused()).isEqualTo(2);
    assertThat(warning.inUse()).isEqualTo(108);
    assertThat(warning.highest()).isEqualTo(108);
  }
}
