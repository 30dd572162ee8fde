package dev.rockpool.arena;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** The two kinds of threads that use arenas. */
enum ThreadKind {
  PLATFORM(Thread.ofPlatform()),
  VIRTUAL(Thread.ofVirtual());

  private final Thread.Builder builder;

  ThreadKind(Thread.Builder builder) {
    this.builder = builder;
  }

  /**
   * Runs {@code task} on a new thread and waits until that thread has ended. What the task throws
   * is thrown here, as the very same object.
   */
  <T> T call(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    builder.start(future).join();
    return switch (future.state()) {
      case SUCCESS -> future.resultNow();
      case FAILED -> throw thrown(future.exceptionNow());
      default -> throw new AssertionError("not done: " + future.state());
    };
  }

  private static Exception thrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (Exception) failure;
  }
}
