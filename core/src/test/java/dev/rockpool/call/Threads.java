package dev.rockpool.call;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Runs a test on a platform thread, or on a virtual one. */
enum Threads {
  PLATFORM(Thread.ofPlatform()),
  VIRTUAL(Thread.ofVirtual());

  final Thread.Builder builder;

  Threads(Thread.Builder builder) {
    this.builder = builder;
  }

  interface Task {
    void run() throws Throwable;
  }

  /** Runs {@code task} on a new thread until its end; throws what it throws. */
  void run(Task task) throws Throwable {
    FutureTask<Throwable> future = new FutureTask<>(failureOf(task));
    builder.start(future).join();
    Throwable failure = future.get();
    if (failure != null) {
      throw failure;
    }
  }

  private static Callable<Throwable> failureOf(Task task) {
    return () -> {
      try {
        task.run();
        return null;
      } catch (Throwable failure) {
        return failure;
      }
    };
  }
}
