package dev.rockpool.arena;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** The two kinds of threads that use arenas. */
public enum ThreadKind {
  PLATFORM(Thread.ofPlatform()),
  VIRTUAL(Thread.ofVirtual());

  private final Thread.Builder builder;

  /** Something that may throw anything, as method handles may. */
  public interface Task {
    void run() throws Throwable;
  }

  ThreadKind(Thread.Builder builder) {
    this.builder = builder;
  }

  /**
   * Runs {@code task} on a new thread and waits until that thread has ended. What the task throws
   * is thrown here, as the very same object.
   */
  public <T> T call(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    builder.start(future).join();
    if (future.state() == Future.State.FAILED) {
      if (future.exceptionNow() instanceof Exception exception) {
        throw exception;
      }
      throw (Error) future.exceptionNow();
    }
    return future.resultNow();
  }

  /** As {@link #call}, for a task without result. */
  public void run(Task task) throws Throwable {
    Throwable failure =
        call(
            () -> {
              try {
                task.run();
                return null;
              } catch (Throwable thrown) {
                return thrown;
              }
            });
    if (failure != null) {
      throw failure;
    }
  }

  /** Starts a new thread. */
  public Thread start(Runnable task) {
    return builder.start(task);
  }
}
