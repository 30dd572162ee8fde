package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * First uses of direct memory, each on a thread of its own with a whole stack: a class whose
 * initialization meets the end of the stack stays broken until the JVM ends. Where the thread
 * fails, so does the caller's own use.
 */
final class FirstUse {
  /** Ends a wait for a thread that needs what the caller holds, such as a class loader's lock. */
  private static final long PATIENCE_MILLIS = 10_000;

  private static volatile boolean areClassesReady;
  private static volatile @Nullable DirectMemory global;

  private FirstUse() {}

  /**
   * Runs a first use, and waits for its end.
   *
   * @throws OutOfMemoryError if the heap has too little room for it, or the system no thread
   */
  static void run(Runnable use) {
    Usability.requireHeap();
    try {
      Daemon.start("rockpool-first-use", new FutureTask<>(use, null)).join(PATIENCE_MILLIS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt(); // the caller does the rest
    }
  }

  /** Makes sure that each class is initialized that direct memory needs. */
  static void prepareClasses() {
    if (!areClassesReady) {
      run(new UseOfClasses());
    }
  }

  static DirectMemory global() {
    DirectMemory known = global;
    if (known == null) {
      run(new UseOfGlobal());
      known = Global.MEMORY;
    }
    return known;
  }

  /** After this, freeing does not need the program's class loader. */
  private static final class UseOfClasses implements Runnable {
    @Override
    public void run() {
      long limit = MemorySource.PAGES_FROM;
      DirectMemory tried = new DirectMemory(new Budget(limit, ""), MemorySource.SYSTEM);
      tried.ofConfined().close();
      if (Obstacle.ofThisJvm() == Obstacle.NONE) {
        tried.free(tried.allocate(1, 1));
        tried.free(tried.allocate(limit, 1));
      }
      Housekeeper.ensureRunning();
      areClassesReady = true;
    }
  }

  private static final class UseOfGlobal implements Runnable {
    @Override
    public void run() {
      global = Global.MEMORY;
    }
  }

  /** Made at the first use, because finding the limit needs JMX. */
  private static final class Global {
    static final DirectMemory MEMORY = create();

    private static DirectMemory create() {
      DirectMemory created = DirectMemory.of(limit(), "-D" + Setting.DIRECT_LIMIT.key());
      Housekeeper.add(new DirectMonitor.Showing(created));
      return created;
    }

    /** Returns the limit in bytes; without a flag, the largest heap size, as in the JVM. */
    private static long limit() {
      long ours = Setting.DIRECT_LIMIT.readLong();
      long limit = ours != 0 ? ours : DirectMonitor.jvmLimit();
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }
  }
}
