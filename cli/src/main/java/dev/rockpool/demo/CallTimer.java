package dev.rockpool.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures one call in a JVM that does nothing else: arguments CALL PACE. Prints a header and a
 * line as the examples do; a row is a call.
 */
public final class CallTimer {
  /** Batches of calls so large that reading the clock does not count. */
  private static final long BATCH_NANOS = 1_000_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Call call;
  private final Pace pace;
  private final LongSupplier compilationMillis;
  private long last;
  private int calls = 1;
  private long callsInAll;

  /** The length of a measurement, which is a number of windows. */
  enum Pace {
    FULL(400, 3, 15),
    QUICK(150, 2, 10);

    /** Processor time, since other programs then leave the compiler its part of each window. */
    private final long windowNanos;

    private final int least;
    private final int most;

    Pace(int windowMillis, int least, int most) {
      this.windowNanos = windowMillis * 1_000_000L;
      this.least = least;
      this.most = most;
    }
  }

  /**
   * The figures of one window.
   *
   * @param nanos for each call, the median of all batches
   * @param fastestNanos the same of the fastest batch
   * @param garbageBytes for each call
   * @param quiet whether the compiler was idle
   */
  record Window(double nanos, double fastestNanos, double garbageBytes, boolean quiet) {}

  CallTimer(Call call, Pace pace, LongSupplier compilationMillis) {
    this.call = call;
    this.pace = pace;
    this.compilationMillis = compilationMillis;
  }

  public static void main(String[] args) throws Throwable {
    @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    // Nothing is ever compiled without a compiler, therefore that clock never stands still.
    LongSupplier millis = compiler == null ? System::nanoTime : compiler::getTotalCompilationTime;
    System.out.println(
        "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result,"
            + "compiled,arena_class");
    System.out.println(
        new CallTimer(Call.valueOf(args[0]), Pace.valueOf(args[1]), millis).measure());
  }

  /**
   * Measures windows until the compiler was idle in two, one after the other, or there were enough.
   * Returns the values of the last one.
   */
  String measure() throws Throwable {
    Window window = window();
    int quiet = window.quiet() ? 1 : 0;
    for (int windows = 1; windows < pace.least || (quiet < 2 && windows < pace.most); windows++) {
      window = window();
      quiet = window.quiet() ? quiet + 1 : 0;
    }
    return String.format(
        Locale.ROOT,
        "%s,%d,%.3f,%.3f,%.3f,%s,%b,%s",
        call.function(),
        callsInAll,
        window.nanos(),
        window.fastestNanos(),
        window.garbageBytes(),
        URLEncoder.encode(call.result(), UTF_8),
        quiet >= 2,
        arenaClass());
  }

  private Window window() throws Throwable {
    double[] nanos = new double[(int) (2 * pace.windowNanos / BATCH_NANOS)];
    int batches = 0;
    long callsBefore = callsInAll;
    long bytes = 0;
    long compilationBefore = compilationMillis.getAsLong();
    long end = THREADS.getCurrentThreadCpuTime() + pace.windowNanos;
    do {
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long took = Math.max(1, batch());
      bytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
      nanos[batches++ % nanos.length] = (double) took / calls;
      callsInAll += calls;
      calls = (int) Math.clamp(calls * BATCH_NANOS / took, 1, 2L * calls);
    } while (THREADS.getCurrentThreadCpuTime() - end < 0);
    long compilation = compilationMillis.getAsLong() - compilationBefore;
    double[] sorted = Arrays.copyOf(nanos, Math.min(batches, nanos.length));
    Arrays.sort(sorted);
    boolean quiet = compilation * 1_000_000 <= pace.windowNanos / 100;
    double garbageBytes = (double) bytes / (callsInAll - callsBefore);
    return new Window(sorted[sorted.length / 2], sorted[0], garbageBytes, quiet);
  }

  private long batch() throws Throwable {
    long result = last;
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      result = call.make(i, result);
    }
    long nanos = System.nanoTime() - start;
    last = result;
    return nanos;
  }

  /** Tells whether the agent is at work: then it is a class of Rockpool. */
  private static String arenaClass() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.getClass().getName();
    }
  }
}
