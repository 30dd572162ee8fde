package dev.rockpool.agent;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Prints lines on standard error, for the person who started the program.
 *
 * <p>The program may replace {@code System.err} by a stream that opens arenas, takes locks, throws,
 * or never returns. The agent prints while a class is being loaded, under the program's locks. So a
 * thread of ours prints the lines, in FIFO order. The caller waits until its line is printed, but
 * not for long, and not at all if another line is late already.
 *
 * <p>Neither this class nor its thread exists before the first line.
 */
final class Console implements Runnable {
  private static final String THREAD_NAME = "rockpool-notice";

  /** Nearly always long enough for a line to be printed before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  /** Patience for the last line, which alone tells why the JVM ends. */
  private static final long LAST_PATIENCE_MILLIS = 10_000;

  /** Most lines kept while a line is late; further lines are lost. */
  private static final int MOST = 1000;

  /**
   * Guards itself and {@link #printing}. Not a concurrent queue, whose class initializes slowly.
   */
  private static final Queue<Line> LINES = new ArrayDeque<>();

  /** Whether a printing thread exists, or is about to start. */
  private static boolean printing;

  /** Id of the printing thread, or 0; the stream it prints to may call print again. */
  private static volatile long printer;

  /** Whether a caller waited in vain for the line that is being printed. */
  private static volatile boolean isLate;

  private record Line(String message, @Nullable Throwable cause, CountDownLatch printed) {
    void print() {
      try {
        System.err.println("[rockpool] " + message + (cause == null ? "" : ": " + cause));
      } catch (Throwable refused) {
        // The program's stream threw; the agent must not fail for it.
      } finally {
        printed.countDown();
      }
    }
  }

  private Console() {}

  /**
   * Prints {@code [rockpool] message}, if possible; never throws.
   *
   * @return false if standard error blocks, so that the line is printed later or never
   */
  static boolean print(String message) {
    return print(message, null, PATIENCE_MILLIS);
  }

  /** Prints {@code [rockpool] message: cause}, as {@link #print(String)} does. */
  static boolean print(String message, Throwable cause) {
    return print(message, cause, PATIENCE_MILLIS);
  }

  /** Prints the line that tells why the JVM ends. */
  static void printLast(String message) {
    isLate = false; // otherwise print would not wait
    print(message, null, LAST_PATIENCE_MILLIS);
  }

  private static boolean print(String message, @Nullable Throwable cause, long patienceMillis) {
    try {
      CountDownLatch printed = new CountDownLatch(1);
      if (!add(new Line(message, cause, printed))) {
        return false;
      }
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
      // A lost line must not harm the program.
    }
    return true;
  }

  /**
   * Starts a daemon thread of the agent, as the library's {@code Daemon} does, which the agent may
   * not name. The thread keeps nothing of the calling thread reachable.
   *
   * @throws OutOfMemoryError if the system can't create a thread
   */
  static Thread startThread(String name, Runnable task) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = new Thread(group, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return thread;
  }

  /** Returns false if too many lines are late. */
  private static boolean add(Line line) {
    synchronized (LINES) {
      if (LINES.size() >= MOST) {
        return false;
      }
      LINES.add(line);
      if (printing) {
        return true;
      }
      printing = true;
    }
    isLate = false;
    try {
      startThread(THREAD_NAME, new Console());
    } catch (Throwable noThread) {
      synchronized (LINES) {
        printing = false;
      }
      throw noThread;
    }
    return true;
  }

  /** Returns the next line; if there is none, the printing thread is to end. */
  private static @Nullable Line next() {
    synchronized (LINES) {
      Line next = LINES.poll();
      printing = next != null;
      printer = printing ? Thread.currentThread().threadId() : 0;
      return next;
    }
  }

  @Override
  public void run() {
    for (Line line = next(); line != null; line = next()) {
      line.print();
      isLate = false;
    }
  }
}
