package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.util.function.Consumer;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Leaves arenas to the JDK until the program has opened some thousands of them, and then starts the
 * pool, once, on a thread of its own. A program that opens fewer does not pay for the start. The
 * start precedes the second compiler's look at the callers, which would otherwise have to be
 * compiled twice.
 *
 * <pre>
 *   (none)    -- prepare ------------------------------------&gt;  COUNTING
 *   COUNTING  -- enough arenas ------------------------------&gt;  STARTING
 *   STARTING  -- the pool's classes are initialized ---------&gt;  STARTED
 *             -- any failure: the JDK serves ----------------&gt;  (none), until an attach
 * </pre>
 *
 * <p>This class names those of the pool only in code that runs once it has started.
 */
final class RockpoolStart implements Runnable {
  /** Threads count in eight places, by id, so that they seldom write to the same cache line. */
  private static final long[] COUNTS = new long[64];

  /** Arenas of one counter between two looks at the sum. If fewer are due, each arena looks. */
  private static final int PERIOD = 1 << 10;

  /** Not -Xss: a class that meets the end of a small stack while it is initialized stays broken. */
  private static final long STACK_BYTES = 1 << 20;

  /** Longest time that an arena waits for a start that is to precede it. */
  private static final long PATIENCE_MILLIS = 5000;

  /** COUNTING: defines the pool's classes. Null in all other states. */
  private static volatile Runnable definition;

  /** Arenas to count before the start. 0: the first arena starts the pool, and awaits it. */
  private static volatile int after;

  private static volatile Thread starter;

  /** STARTED. Once true, a constant to the compilers, which then drop the JDK's way. */
  @Stable private static boolean isStarted;

  private final Runnable define;

  private RockpoolStart(Runnable define) {
    this.define = define;
  }

  /**
   * Lets the count of arenas start the pool, unless it has started. A class, so that the agent need
   * not name this one, which is defined later.
   */
  static final class Preparation implements Consumer<Runnable> {
    @Override
    public void accept(Runnable define) {
      // Arenas that are to be checked do not wait for others.
      String check = System.getProperty(RockpoolSetting.CHECK.key(), "off");
      int due = check.strip().equals("off") ? RockpoolSetting.START_AFTER.read() : 0;
      synchronized (COUNTS) {
        boolean isStarting = starter != null && starter.isAlive();
        if (!isStarting && !isStarted) { // in this order: a start that has ended is seen
          after = due;
          definition = define;
        }
      }
    }
  }

  /**
   * As {@link Arena#ofConfined()}. No arena of the JDK is passed to another method, so that C2
   * takes them apart here as well.
   */
  @ForceInline
  static Arena ofConfined() {
    if (!isStarted) {
      count();
    }
    return isStarted
        ? RockpoolBlockPool.Shared.POOL.open(RockpoolLifetime.open())
        : Arena.ofConfined();
  }

  /** Opens an arena for a native call's structs; null if the linker's own buffer is to serve. */
  @ForceInline
  static Arena open(long byteSize) {
    if (!isStarted) {
      count();
    }
    return isStarted && RockpoolBlockPool.Shared.POOL.fits(byteSize)
        ? RockpoolBlockPool.Shared.POOL.open(RockpoolLifetime.open())
        : null;
  }

  /** Counts plainly. A race may lose counts, which only delays the start. */
  private static void count() {
    int at = (int) Thread.currentThread().threadId() * 8 & (COUNTS.length - 1);
    if (++COUNTS[at] % PERIOD == 0 || after < PERIOD) {
      startIfDue();
    }
  }

  private static void startIfDue() {
    long sum = 0;
    for (int at = 0; at < COUNTS.length; at += 8) {
      sum += COUNTS[at];
    }
    try {
      synchronized (COUNTS) { // else another thread's arena might not await this start
        Runnable due = definition;
        if (due != null && sum >= after) {
          definition = null;
          starter =
              RockpoolDaemon.builder("rockpool-start")
                  .stackSize(STACK_BYTES)
                  .start(new RockpoolStart(due));
        }
      }
      Thread awaited = after == 0 ? starter : null;
      if (awaited != null && awaited != Thread.currentThread()) {
        awaited.join(PATIENCE_MILLIS);
      }
    } catch (OutOfMemoryError noThread) {
      return; // the JDK serves
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try {
      define.run();
      if (RockpoolInternals.USABLE) {
        RockpoolBlockPool.Shared.POOL.open().close();
        isStarted = true;
      }
    } catch (RuntimeException | LinkageError failure) {
      RockpoolNotices.print("Arenas are the JDK's: the pool's start failed", failure);
    }
  }
}
