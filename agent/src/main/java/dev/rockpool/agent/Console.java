package dev.rockpool.agent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the agent tells the person who started the program: lines on standard error.
 *
 * <p>{@code System.err} is the program's: a stream of its own may open arenas, take locks, throw or
 * never return. Lines are given while a class is being loaded, under locks of the program's. So a
 * thread of ours prints them, one after the other. Whoever gives a line waits until it is out, but
 * not for long, and not behind a line that takes long already.
 *
 * <p>Neither this class nor its thread is there before the first line.
 */
final class Console implements Runnable {
  private static final String THREAD_NAME = "rockpool-notice";

  /** Nearly always enough for a line to be out before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  /** Waited for where the JVM ends next, and the line is all that tells why. */
  private static final long LAST_PATIENCE_MILLIS = 10_000;

  /** Lines that are kept while one takes long; others are lost. */
  private static final int MOST = 1000;

  private static final Queue<Line> LINES = new ConcurrentLinkedQueue<>();

  /** Whether there is a thread that prints, or is about to be. */
  private static final AtomicBoolean PRINTING = new AtomicBoolean();

  /** Id of the thread that prints, or 0: what it prints to may lead back here. */
  private static volatile long printer;

  /** Whether somebody waited in vain for the line that is being printed. */
  private static volatile boolean isLate;

  private record Line(String message, @Nullable Throwable cause, CountDownLatch printed) {
    void print() {
      try {
        System.err.println("[rockpool] " + message + (cause == null ? "" : ": " + cause));
      } catch (Throwable refused) {
        // What a stream of the program's throws is no matter of ours.
      } finally {
        printed.countDown();
      }
    }
  }

  private Console() {}

  /**
   * Prints {@code [rockpool] message}, if the program lets anybody print; never throws.
   *
   * @return false if standard error blocks whoever prints: the line is out later, or never
   */
  static boolean print(String message) {
    return print(message, null, PATIENCE_MILLIS);
  }

  /** Prints {@code [rockpool] message: cause}, as above. */
  static boolean print(String message, Throwable cause) {
    return print(message, cause, PATIENCE_MILLIS);
  }

  /** Prints the line that tells why the JVM ends. */
  static void printLast(String message) {
    isLate = false; // or it would not be waited for
    print(message, null, LAST_PATIENCE_MILLIS);
  }

  private static boolean print(String message, @Nullable Throwable cause, long patienceMillis) {
    try {
      CountDownLatch printed = new CountDownLatch(1);
      if (LINES.size() >= MOST) {
        return false;
      }
      LINES.add(new Line(message, cause, printed));
      startPrinter();
      if (printer == Thread.currentThread().threadId()) {
        return true;
      }
      if (isLate || !printed.await(patienceMillis, TimeUnit.MILLISECONDS)) {
        isLate = printed.getCount() != 0;
        return !isLate;
      }
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    } catch (Throwable unprinted) {
      // Nobody is told, and nothing else is different.
    }
    return true;
  }

  private static void startPrinter() {
    if (PRINTING.compareAndSet(false, true)) {
      isLate = false;
      try {
        AgentMonitor.startThread(THREAD_NAME, new Console());
      } catch (Throwable noThread) {
        PRINTING.set(false);
        throw noThread;
      }
    }
  }

  @Override
  public void run() {
    do {
      printer = Thread.currentThread().threadId();
      for (Line line = LINES.poll(); line != null; line = LINES.poll()) {
        line.print();
        isLate = false;
      }
      printer = 0;
      PRINTING.set(false);
    } while (!LINES.isEmpty() && PRINTING.compareAndSet(false, true));
  }
}
