package dev.rockpool.child;

import java.lang.foreign.Arena;
import java.util.concurrent.ThreadFactory;

/** Does things where a stack ends. For a JVM of its own, as classes of the JDK may come to harm. */
public final class StackEnd {
  private static final long STACK_BYTE_SIZE = 200 << 10;
  private static final int FILLS = 12;

  /** The actions that may overflow the stack. */
  public interface Step {
    void run() throws Throwable;
  }

  private final Step step;
  private int overflows;
  private boolean wentWell;

  private StackEnd(Step step) {
    this.step = step;
  }

  /**
   * Does something where the stack ends, and then a frame further from its end, until that goes
   * well.
   *
   * @param fill frames of another size before the descent: they move the end by less than a frame
   * @return how often the stack overflowed
   */
  public static int reach(Step step, int fill) throws Throwable {
    StackEnd end = new StackEnd(step);
    end.descendWide(fill, 0, 0, 0);
    if (!end.wentWell) {
      throw new AssertionError("did not go well although there is stack");
    }
    return end.overflows;
  }

  /**
   * Makes an attempt, from new, with each of several fills.
   *
   * @return how often the stack overflowed, or the attempt did without
   */
  public static int reach(HeapEnd.Attempt attempt) throws Throwable {
    int failures = 0;
    for (int fill = 0; fill < FILLS; fill++) {
      attempt.prepare();
      failures += reach(() -> requireDone(attempt.run()), fill);
      attempt.check();
    }
    return failures;
  }

  /**
   * Closes an arena where the stack ends. An attempt may have closed the arena and failed then.
   *
   * @return how often the stack overflowed
   */
  public static int close(Arena arena, int fill) throws Throwable {
    return reach(
        () -> {
          if (arena.scope().isAlive()) {
            arena.close();
          }
        },
        fill);
  }

  private static void requireDone(boolean wentWell) {
    if (!wentWell) {
      throw new StackOverflowError("did without");
    }
  }

  private long descendWide(int fill, long a, long b, long c) throws Throwable {
    if (fill > 0) {
      return descendWide(fill - 1, a, b, c) + a + b + c;
    }
    descend();
    return 0;
  }

  private void descend() throws Throwable {
    try {
      descend();
    } catch (StackOverflowError end) {
      overflows++;
    }
    if (!wentWell) {
      try {
        step.run();
        wentWell = true;
      } catch (StackOverflowError end) {
        overflows++;
      }
    }
  }

  /** Runs a program on a platform thread whose stack ends soon, and fails as it does. */
  public static void onSmallStack(Step program) throws InterruptedException {
    run(program, work -> new Thread(null, work, "small stack", STACK_BYTE_SIZE));
  }

  /** Runs a program on a virtual thread: its stack ends where that of its carrier does. */
  public static void onVirtualThread(Step program) throws InterruptedException {
    run(program, Thread.ofVirtual()::unstarted);
  }

  private static void run(Step program, ThreadFactory threads) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        threads.newThread(
            () -> {
              try {
                program.run();
              } catch (Throwable thrown) {
                failure[0] = thrown;
              }
            });
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }
}
