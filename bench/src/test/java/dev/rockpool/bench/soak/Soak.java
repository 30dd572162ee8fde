package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.arena.PoolStatistics;
import dev.rockpool.internal.Carrier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Uses the shared pool for a while, on threads of all kinds at once, and prints its memory. Ends
 * with exit code 1 at the first violation.
 */
public final class Soak {
  /** Platform threads that use the shared pool at any one time; carriers come on top. */
  private static final int PLATFORM_THREADS = 4;

  private static final int VIRTUAL_THREADS = 12;
  private static final int STEPS = 500;
  private static final int LINES = 10;
  private static final double MOST_SECONDS_BETWEEN = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Until then compilers and class loading still take memory of their own. */
  private static final double WARM_SECONDS = 60;

  private static final long MOST_GROWTH = 64L << 20;

  private static final Path STATUS = Path.of("/proc/self/status");

  private final AtomicBoolean found = new AtomicBoolean();
  private final Checker checker = new Checker();
  private final LongAdder closed = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  private Soak() {}

  /** Runs for as many seconds as the only argument says. */
  public static void main(String[] args) {
    double seconds = Double.parseDouble(args[0]);
    System.out.printf(
        Locale.ROOT,
        "Soak on JDK %s for %.0f s; blocks of carriers: %s.%n",
        System.getProperty("java.runtime.version"),
        seconds,
        Carrier.isReachable() ? "in reach" : "out of reach, as with public API only");
    Soak soak = new Soak();
    soak.reporting(() -> soak.run(seconds));
  }

  private void run(double seconds) {
    PoolStatistics.State state = ArenaPool.shared().statistics().state();
    require(state == PoolStatistics.State.ON, "The shared pool must serve arenas: state=" + state);
    for (int i = 0; i < PLATFORM_THREADS / 2; i++) {
      start(Thread.ofPlatform(), this::walk);
      start(Thread.ofPlatform(), () -> join(Thread.ofPlatform().start(this::walk)));
    }
    for (int i = 0; i < VIRTUAL_THREADS; i++) {
      start(Thread.ofVirtual(), () -> join(Thread.ofVirtual().start(this::walk)));
    }
    start(Thread.ofPlatform(), this::makePoolAndDropIt);
    start(Thread.ofPlatform(), Soak::collectGarbage);
    watch(seconds);
    ending = true;
    threads.forEach(Soak::join);
    require(checker.size() == 0, "No memory may be in use by now: pieces=" + checker.size());
    requireRest(ArenaPool.shared(), closed.sum());
    System.out.printf(
        Locale.ROOT,
        "At rest each kept block is zero, and the pool counted %,d arenas.%nNo violation.%n",
        closed.sum());
  }

  private void start(Thread.Builder builder, Runnable task) {
    Runnable again =
        () -> {
          while (!ending) {
            task.run();
          }
        };
    threads.add(builder.start(() -> reporting(again)));
  }

  /** Says what was found first, and ends the JVM before anything else happens. */
  private void reporting(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) {
      if (found.compareAndSet(false, true)) {
        System.out.println("VIOLATION: " + failure);
        System.out.flush();
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }
  }

  private void walk() {
    reporting(() -> closed.add(new Walk(ArenaPool.shared(), checker).run(STEPS)));
  }

  private static void join(Thread thread) {
    try {
      require(thread.join(PATIENCE), "Threads must end: " + thread);
    } catch (InterruptedException nobodyDoes) {
      throw new IllegalStateException(nobodyDoes);
    }
  }

  private void makePoolAndDropIt() {
    SplittableRandom random = new SplittableRandom();
    ArenaPool pool =
        ArenaPool.builder()
            .blockByteSize(64L << random.nextInt(8))
            .blocksPerThread(random.nextInt(1, 9))
            .build();
    LongAdder expected = new LongAdder();
    Runnable task = () -> expected.add(new Walk(pool, checker).run(STEPS));
    List<Thread> users =
        List.of(
            Thread.ofVirtual().start(() -> reporting(task)),
            Thread.ofVirtual().start(() -> reporting(task)),
            Thread.ofPlatform().start(() -> reporting(task)));
    task.run();
    users.forEach(Soak::join);
    requireRest(pool, expected.sum());
  }

  /** Pools that were dropped are freed after the next collection; most walks see one. */
  private static void collectGarbage() {
    LockSupport.parkNanos(new SplittableRandom().nextLong(1_000_000_000));
    System.gc();
  }

  /** Each kept block is zero, and each closed arena that had used a block is counted once. */
  static void requireRest(ArenaPool pool, long closed) {
    PoolAudit.checkAtRest(pool);
    require(
        pool.statistics().arenasClosed() == closed,
        "A pool must count each arena that used a block, once: closed=%d, counted=%s"
            .formatted(closed, pool.statistics()));
  }

  /** Memory stays within bounds: that of the pool always, that of the process once it is warm. */
  private void watch(double seconds) {
    double between = Math.min(MOST_SECONDS_BETWEEN, seconds / LINES);
    int carriers = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", 256);
    // Threads may end and others start while the pool is asked: hence twice as many.
    long mostKept = PoolAudit.mostBytesKept(ArenaPool.shared(), 2 * (PLATFORM_THREADS + carriers));
    long warm = 0;
    long start = System.nanoTime();
    System.out.println(" seconds          arenas  pool KiB  resident MiB");
    for (int line = 1; line * between < seconds + between / 2; line++) {
      long nanos = start + (long) (line * between * 1e9) - System.nanoTime();
      LockSupport.parkNanos(Math.max(0, nanos));
      long kept = ArenaPool.shared().statistics().bytesKept();
      long resident = residentBytes();
      System.out.printf(
          Locale.ROOT,
          "%8.1f %,15d %,9d %,13d%n",
          line * between,
          closed.sum(),
          kept >> 10,
          resident >> 20);
      require(kept <= mostKept, "A pool is bounded by threads: most=%d".formatted(mostKept));
      warm = warm == 0 && line * between >= WARM_SECONDS ? resident : warm;
      require(
          warm == 0 || resident <= warm + MOST_GROWTH,
          "Memory of the process must not grow without end: after %s s it was %d"
              .formatted(WARM_SECONDS, warm));
    }
  }

  /** Bytes of the process; 0 on systems that do not say. */
  private static long residentBytes() {
    try {
      for (String line : Files.exists(STATUS) ? Files.readAllLines(STATUS) : List.<String>of()) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
      return 0;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(boolean promise, String otherwise) {
    if (!promise) {
      throw new AssertionError(otherwise);
    }
  }
}
