package dev.rockpool.internal;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages for the person who started the program: one line each, on standard error.
 *
 * <p>The program may replace {@code System.err} by a stream that opens arenas, takes locks, throws,
 * or never returns. Notices are given where none of this may happen: in a static initializer, or on
 * the housekeeper's thread. So each notice is printed by a thread of its own, and the caller waits
 * for the line, but not for long.
 *
 * <p>A {@link System.Logger} would not do: a logging system may itself open arenas, and under the
 * agent this code runs before the program has configured logging. Callers ensure that each notice
 * is given only once.
 */
public final class Notices {
  private static final String THREAD_NAME = "rockpool-notice";

  /** Nearly always long enough for the line to be printed before the program goes on. */
  private static final long PATIENCE_MILLIS = 100;

  private Notices() {}

  /** Loads what a notice needs, for threads that may outlive their class loader's files. */
  public static void initialize() {
    Objects.requireNonNull(Line.class);
  }

  public static void print(String message) {
    print(message, null);
  }

  /**
   * Prints {@code [rockpool] message: failure}, if possible; never throws.
   *
   * @return false if the line is lost for lack of heap, stack or threads
   */
  public static boolean print(String message, @Nullable Throwable failure) {
    try {
      Line line = new Line(message, failure);
      Daemon.start(THREAD_NAME, line);
      // Not Thread.join, which needs the thread's monitor: the program's stream may keep that.
      boolean ignored = line.end.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      return !line.isLost;
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return true;
    } catch (Throwable noSpace) {
      return false; // a lost notice must not harm the program
    }
  }

  /** Prints that the value of a system property is refused, and the default used. */
  static void printRefused(
      String property, String meaning, String accepted, String raw, Object defaultValue) {
    print(
        "System property "
            + property
            + " ("
            + meaning
            + ") must be "
            + accepted
            + ": it is \""
            + raw
            + "\"; using the default, "
            + defaultValue
            + ".");
  }

  /** Tells of a class that can't be initialized its reason, too. */
  private static String told(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null || !(failure instanceof LinkageError)
        ? failure.toString()
        : failure + ", because of " + told(cause);
  }

  /** A class and not a lambda, see {@link Daemon#start}. */
  private static final class Line implements Runnable {
    private final String message;
    private final @Nullable Throwable failure;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isLost;

    Line(String message, @Nullable Throwable failure) {
      this.message = message;
      this.failure = failure;
    }

    @Override
    public void run() {
      try {
        System.err.println("[rockpool] " + message + (failure == null ? "" : ": " + told(failure)));
      } catch (VirtualMachineError noSpace) {
        isLost = true;
      } catch (Throwable refused) {
        return; // by the program's stream
      } finally {
        end.countDown();
      }
    }
  }
}
