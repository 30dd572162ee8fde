package dev.rockpool.internal;

public final class Daemon {
  private Daemon() {}

  /**
   * Makes and starts a thread.
   *
   * @param task a plain class, not a lambda, where this may run under the agent while the program
   *     starts
   * @throws OutOfMemoryError if the system can't create a thread
   */
  public static Thread start(String name, Runnable task) {
    Thread started = builder(name).unstarted(task);
    started.setContextClassLoader(null);
    started.start();
    return started;
  }

  /**
   * Returns a builder of daemon threads. They keep nothing of the calling thread reachable: neither
   * its thread group, nor its context class loader, nor its inheritable thread-locals.
   */
  static Thread.Builder.OfPlatform builder(String name) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread.Builder.OfPlatform built =
        Thread.ofPlatform().name(name).daemon().inheritInheritableThreadLocals(false);
    return group == null ? built : built.group(group);
  }
}
