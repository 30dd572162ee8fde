package dev.rockpool.internal;

import java.lang.Thread.UncaughtExceptionHandler;

/** Makes the threads of Rockpool. */
public final class Daemon {
  private static final UncaughtExceptionHandler REPORT =
      Callbacks.weakly(UncaughtExceptionHandler.class, new Report());

  private Daemon() {}

  /**
   * Starts a thread.
   *
   * @param task a plain class, not a lambda, where this may run under the agent while the program
   *     starts
   * @throws OutOfMemoryError if the system can't create a thread
   */
  public static Thread start(String name, Runnable task) {
    return builder(name).start(task);
  }

  /**
   * Returns a builder of daemon threads. They keep nothing of the calling thread reachable: neither
   * its thread group, nor its context class loader, nor its inheritable thread-locals. What ends
   * them is printed, and kept from the program's default handler, which may end the JVM.
   */
  public static Thread.Builder.OfPlatform builder(String name) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread.Builder.OfPlatform built =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .inheritInheritableThreadLocals(false) // nor the context class loader
            .uncaughtExceptionHandler(REPORT);
    return group == null ? built : built.group(group);
  }

  private static final class Report implements UncaughtExceptionHandler {
    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
      System.err.println("[rockpool] Thread " + thread.getName() + " has ended: " + failure);
    }
  }
}
