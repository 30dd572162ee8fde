package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import dev.rockpool.internal.Housekeeper;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import javax.management.MBeanServerDelegate;

/** A program whose listener never returns when an MBean is registered. */
final class SlowListenerProbe {
  private static final CountDownLatch CALLED = new CountDownLatch(1);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private SlowListenerProbe() {}

  /**
   * Prints {@code goes on=true} if the housekeeper has another round while the listener is called.
   */
  public static void main(String[] arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .addNotificationListener(
            MBeanServerDelegate.DELEGATE_NAME, (notification, handback) -> call(), null, null);
    try (Arena arena = Arenas.ofConfined()) {
      arena.allocate(8);
    }
    CALLED.await();
    CountDownLatch round = new CountDownLatch(1);
    Housekeeper.add(
        () -> {
          round.countDown();
          return false;
        });
    round.await();
    System.out.println("goes on=true");
    System.exit(0);
  }

  private static void call() {
    CALLED.countDown();
    try {
      NEVER.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
