package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.arena.PoolStatistics;
import dev.rockpool.internal.Carrier;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Uses the shared pool for a while, in all ways at once, and prints its memory. Ends with exit code
 * 1 at the first violation.
 */
public final class Soak {
  private static final int LINES = 10;
  private static final double MOST_SECONDS_BETWEEN = 10;

  /** Set by the first who finds something. */
  private static final AtomicBoolean FOUND = new AtomicBoolean();

  private Soak() {}

  /** Runs for as many seconds as the only argument says. */
  public static void main(String[] args) throws InterruptedException {
    double seconds = Double.parseDouble(args[0]);
    System.out.printf(
        Locale.ROOT,
        "Soak on JDK %s for %.0f s; blocks of carriers: %s.%n",
        System.getProperty("java.runtime.version"),
        seconds,
        Carrier.isReachable() ? "in reach" : "out of reach, as with public API only");
    Lanes lanes = new Lanes(Soak::fail);
    try {
      checkOn(ArenaPool.shared().statistics().state());
      System.out.println(Reading.HEADER);
      lanes.start();
      watch(lanes, seconds);
      lanes.end();
      conclude(lanes);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  private static void checkOn(PoolStatistics.State state) {
    if (state != PoolStatistics.State.ON) {
      throw new Violation("The shared pool must serve arenas: state=" + state);
    }
  }

  private static void watch(Lanes lanes, double seconds) throws InterruptedException {
    double between = Math.min(MOST_SECONDS_BETWEEN, seconds / LINES);
    Growth growth = new Growth(Lanes.PLATFORM_THREADS + mostCarriers());
    long start = System.nanoTime();
    Reading before = Reading.now(start, 0);
    for (int line = 1; line * between < seconds + between / 2; line++) {
      sleepUntil(start, line * between);
      Reading reading = Reading.now(start, lanes.closed());
      System.out.println(reading.line(before));
      growth.check(reading);
      before = reading;
    }
  }

  /** As many as the JDK itself uses, unless it was told. */
  private static int mostCarriers() {
    return Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", 256);
  }

  private static void sleepUntil(long start, double seconds) throws InterruptedException {
    long nanos = start + (long) (seconds * 1e9) - System.nanoTime();
    Thread.sleep(Math.max(0, nanos / 1_000_000));
  }

  private static void conclude(Lanes lanes) {
    PoolAudit.checkAtRest(ArenaPool.shared());
    PoolStatistics statistics = Balance.check(ArenaPool.shared(), lanes.closed());
    System.out.printf(
        Locale.ROOT,
        "Closed %,d arenas that had used a block: %,d blocks were allocated for them, and the JDK"
            + " served %,d allocations; and closed %,d such arenas of pools of their own.%n"
            + "At rest each kept block is zero, and the pool counted as many arenas.%n"
            + "No violation.%n",
        lanes.closed(),
        statistics.blocksAllocated(),
        statistics.allocationsByJdk(),
        lanes.closedInOwnPools());
  }

  /** Says what was found first, and ends the JVM before anything else happens. */
  private static void fail(Throwable failure) {
    if (FOUND.compareAndSet(false, true)) {
      System.out.println("VIOLATION: " + failure);
      System.out.flush();
      failure.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}
