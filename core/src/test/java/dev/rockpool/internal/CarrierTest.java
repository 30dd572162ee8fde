package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** The carrier is found where java.lang is open, and nowhere else. */
class CarrierTest {
  private static boolean isOpen() {
    return Object.class.getModule().isOpen("java.lang", Carrier.class.getModule());
  }

  @Test
  void carrierIsReachableWhereJavaLangIsOpen() {
    assertThat(Carrier.isReachable()).isEqualTo(isOpen());
  }

  @Test
  void platformThreadCarriesItself() {
    if (isOpen()) {
      assertThat(Carrier.current()).isSameAs(Thread.currentThread());
    } else {
      assertThatIllegalStateException()
          .isThrownBy(Carrier::current)
          .withMessage("java.lang is not open to Rockpool");
    }
  }

  @Test
  void virtualThreadIsCarriedByAPlatformThread() throws Exception {
    FutureTask<Boolean> carriedByPlatformThread =
        new FutureTask<>(() -> !isOpen() || !Carrier.current().isVirtual());
    Thread.ofVirtual().start(carriedByPlatformThread);
    assertThat(carriedByPlatformThread.get()).isTrue();
  }
}
