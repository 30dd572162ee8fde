package dev.rockpool.internal;

import org.jspecify.annotations.Nullable;

/**
 * Messages for the person who started the program: one line each, on standard error.
 *
 * <p>{@code System.err} is the program's: a stream of its own may open arenas, take locks, throw or
 * never return. Notices are given where none of this may happen: while a class of ours is being
 * initialized, on the thread that keeps house. So each is printed by a thread of its own, and the
 * one that gives it waits for the line, but not for long.
 *
 * <p>Not {@link System.Logger}: a logging system may itself open arenas, and under the agent this
 * code runs before the program has configured one. Callers see to it that a notice is given once.
 */
public final class Notices {
  private static final String THREAD_NAME = "rockpool-notice";

  /** Nearly always enough for the line to be out before the program goes on. */
  private static final long PATIENCE_MILLIS = 100;

  private Notices() {}

  /** Prints {@code [rockpool] message}, if that can be done; never throws. */
  public static void print(String message) {
    print(message, null);
  }

  /** Prints {@code [rockpool] message: failure}, if that can be done; never throws. */
  public static void print(String message, @Nullable Throwable failure) {
    try {
      Thread printer = Daemon.start(THREAD_NAME, new Line(message, failure));
      printer.join(PATIENCE_MILLIS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    } catch (Throwable unprinted) {
      return; // nobody is told, and nothing else is different
    }
  }

  /** No lambda, see {@link Daemon}. */
  private record Line(String message, @Nullable Throwable failure) implements Runnable {
    @Override
    public void run() {
      try {
        System.err.println(
            failure == null ? "[rockpool] " + message : "[rockpool] " + message + ": " + failure);
      } catch (Throwable unprinted) {
        return;
      }
    }
  }
}
