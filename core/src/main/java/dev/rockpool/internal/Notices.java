package dev.rockpool.internal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Messages for the person who started the program: one line each, on standard error.
 *
 * <p>The program may replace {@code System.err} by a stream that opens arenas, takes locks, throws,
 * or never returns. Notices are given where none of this may happen: in a static initializer, while
 * a class is loaded, on the housekeeper's thread. So each notice is printed by a thread of its own.
 * The caller waits for the line, but not for long, and not at all if another line is late already.
 *
 * <p>A {@link System.Logger} would not do: a logging system may itself open arenas, and under the
 * agent this code runs before the program has configured logging.
 */
public final class Notices {
  private static final String THREAD_NAME = "rockpool-notice";

  /** Nearly always long enough for the line to be printed before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  /** Most lines that wait for a stream that does not return; further lines are lost. */
  private static final int MOST = 100;

  /** Lines that are being printed. Counted by their own threads, so a failed start leaves none. */
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  /** Whether somebody has waited in vain since a line was printed. */
  private static volatile boolean isLate;

  private Notices() {}

  /** Prints {@code [rockpool] message}, see {@link #print(String, Throwable)}. */
  public static boolean print(String message) {
    return print(message, null);
  }

  /**
   * Prints {@code [rockpool] message: failure}, if possible.
   *
   * @return false if standard error blocks, so that the line is printed later or never
   */
  public static boolean print(String message, @Nullable Throwable failure) {
    if (UNDER_WAY.get() >= MOST) {
      return false;
    }
    try {
      Line line = new Line(message, failure);
      Daemon.start(THREAD_NAME, line);
      // Not Thread.join, which needs the thread's monitor: the program's stream may keep that.
      if (!line.end.await(isLate ? 0 : PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        isLate = true;
        return false;
      }
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError noThread) {
      return false;
    }
    return true;
  }

  /** Describes a failure; for a class that can't be initialized, its reason, too. */
  private static String withCauses(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null || !(failure instanceof LinkageError)
        ? failure.toString()
        : failure + ", because of " + withCauses(cause);
  }

  /** A class and not a lambda, see {@link Daemon#start}. */
  private static final class Line implements Runnable {
    private final String message;
    private final @Nullable Throwable failure;
    private final CountDownLatch end = new CountDownLatch(1);

    Line(String message, @Nullable Throwable failure) {
      this.message = message;
      this.failure = failure;
    }

    @Override
    public void run() {
      UNDER_WAY.incrementAndGet();
      try {
        System.err.println(
            "[rockpool] " + message + (failure == null ? "" : ": " + withCauses(failure)));
      } catch (RuntimeException refused) {
        return; // by the program's stream
      } finally {
        isLate = false;
        UNDER_WAY.decrementAndGet();
        end.countDown();
      }
    }
  }
}
