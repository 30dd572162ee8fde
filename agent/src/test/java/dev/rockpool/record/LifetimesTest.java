package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LifetimesTest {
  @Test
  void theMedianOfManyIsThatOfASample() {
    Lifetimes lives = new Lifetimes();
    assertThat(lives.median()).isZero();
    lives.add(7);
    assertThat(lives.median()).isEqualTo(7);
    lives.add(2);
    lives.add(3);
    assertThat(lives.median()).isEqualTo(3);
    for (int i = 0; i < 100_000; i++) {
      lives.add(i < 10_000 ? 5 : 1_000_000);
    }
    assertThat(lives.median()).isEqualTo(1_000_000); // not only the first are kept
  }
}
