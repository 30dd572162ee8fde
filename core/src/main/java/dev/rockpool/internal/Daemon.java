package dev.rockpool.internal;

public final class Daemon {
  private Daemon() {}

  /**
   * Makes and starts a thread. The thread keeps nothing of the calling thread reachable: neither
   * its thread group, nor its context class loader, nor its inheritable thread-locals.
   *
   * @param task a plain class, not a lambda, where this may run under the agent while the program
   *     starts
   * @throws OutOfMemoryError if the system can't create a thread
   */
  public static Thread start(String name, Runnable task) {
    Thread started = make(name, task);
    started.start();
    return started;
  }

  static Thread make(String name, Runnable task) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread made = new Thread(group, task, name, 0, false);
    made.setDaemon(true);
    made.setContextClassLoader(null);
    return made;
  }
}
