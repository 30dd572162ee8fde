package dev.rockpool.child;

import dev.rockpool.internal.Housekeeper;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Has house kept where there is no heap, and says whether it was. */
final class HousekeeperProbe {
  /** Enough to note a task, and not for a thread. */
  private static final int TOO_LITTLE_FOR_A_THREAD = 32;

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int ENOUGH_ROUNDS = 3;

  private static volatile int rounds;

  private static final BooleanSupplier COUNTS =
      () -> {
        rounds++;
        return true;
      };

  private static final BooleanSupplier FAILS =
      () -> {
        throw new OutOfMemoryError("on purpose");
      };

  private HousekeeperProbe() {}

  private static boolean awaitRounds() {
    int enough = rounds + ENOUGH_ROUNDS;
    long start = System.nanoTime();
    while (rounds < enough && System.nanoTime() - start < LIMIT_NANOS) {
      LockSupport.parkNanos(1_000_000);
    }
    return rounds >= enough;
  }

  private static boolean isThere() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("rockpool-housekeeper"));
  }

  /** Has all classes loaded that are needed. */
  private static void startAndEnd() throws InterruptedException {
    Thread[] housekeeper = new Thread[1];
    Housekeeper.add(
        () -> {
          housekeeper[0] = Thread.currentThread();
          return false;
        });
    while (isThere()) {
      Thread.sleep(10);
    }
    if (housekeeper[0] == null) {
      throw new AssertionError("was not started");
    }
  }

  public static void main(String[] args) throws Throwable {
    startAndEnd();
    HeapEnd.Attempt add =
        () -> {
          Housekeeper.add(COUNTS);
          return true;
        };
    System.out.println("added=" + HeapEnd.once(TOO_LITTLE_FOR_A_THREAD, add));
    System.out.println("started=" + isThere());
    Housekeeper.ensureRunning();
    System.out.println("started by a slow path=" + awaitRounds());

    Housekeeper.add(FAILS);
    Housekeeper.add(COUNTS);
    System.out.println("goes on=" + HeapEnd.once(0, HousekeeperProbe::awaitRounds));
    System.out.println("goes on with heap=" + awaitRounds());
  }
}
