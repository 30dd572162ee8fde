package dev.rockpool.internal;

/** Threads of Rockpool that no JVM ever waits for. */
public final class Daemon {
  private Daemon() {}

  /**
   * Makes and starts one. Nothing of the program that happened to be first is kept reachable:
   * neither its thread group, nor its class loader, nor inheritable thread-locals.
   *
   * @param task what it does; a plain class and no lambda where it may run under the agent while
   *     the program starts
   * @throws OutOfMemoryError if the system has no thread to give
   */
  public static Thread start(String name, Runnable task) {
    Thread started = make(name, task);
    started.start();
    return started;
  }

  /** Makes one that is not started yet. */
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
