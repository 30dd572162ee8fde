package dev.rockpool.calibration;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * Opens arenas as a recorded program did. Arguments: the kind of thread, the arenas of each thread
 * (0 for one thread that lives on), threads at once, milliseconds that each waits inside an arena,
 * milliseconds of processor time to take; then for each site its share of 1000 arenas, and sizes
 * with their counts: {@code 250;20=3,20+40=1}.
 *
 * <p>Prints a line: nanoseconds of processor time for each arena once all is warm, which is the
 * least of several times, because other work comes on top; nanoseconds that start and warm-up took
 * beside these; and the JDK's version.
 */
@SuppressWarnings("restricted") // whoever calls native code does so knowingly
public final class Calibrator {
  public static final MethodHandle STRLEN =
      function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  /** Processor time of the process, on POSIX in microseconds. */
  private static final MethodHandle CLOCK = function("clock", FunctionDescriptor.of(JAVA_LONG));

  private static final int TABLE = 1 << 10;
  private static final int BATCH = 1000;
  private static final int WINDOWS = 20;

  /** Makes native calls, each with an arena. */
  public interface Calls {
    long make(int[][] requests, int from, int calls, int waitMillis) throws Throwable;
  }

  /** A class that opens arenas, and how it does. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(Calls calls, int share, int[][] requests) {}

  private final ThreadFactory threads;
  private final int arenasOfThread;
  private final int atOnce;
  private final int waitMillis;
  private final List<Part> parts;
  private long sum;
  private int position;

  private Calibrator(String[] args) throws ReflectiveOperationException, IOException {
    threads =
        args[0].equals("virtual") ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
    arenasOfThread = Integer.parseInt(args[1]);
    atOnce = Integer.parseInt(args[2]);
    waitMillis = Integer.parseInt(args[3]);
    parts = new ArrayList<>();
    for (String site : Arrays.asList(args).subList(5, args.length)) {
      String[] words = site.split(";", 2);
      parts.add(new Part(Opener.copy(), Integer.parseInt(words[0]), table(words[1])));
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /** Sizes in proportion to their counts, in an order without pattern. */
  private static int[][] table(String text) {
    String[] entries = text.split(",", -1);
    double all = Arrays.stream(entries).mapToLong(Calibrator::count).sum();
    int[][] table = new int[TABLE][];
    double behind = 0;
    int from = 0;
    for (String entry : entries) {
      String sizes = entry.substring(0, entry.indexOf('='));
      behind += count(entry);
      int to = (int) Math.round(TABLE * behind / all);
      Arrays.fill(
          table,
          from,
          to,
          Arrays.stream(sizes.split("\\+", -1))
              .filter(size -> !size.isEmpty())
              .mapToInt(Integer::parseInt)
              .toArray());
      from = to;
    }
    Collections.shuffle(Arrays.asList(table), new Random(1));
    return table;
  }

  private static long count(String entry) {
    return Long.parseLong(entry.substring(entry.indexOf('=') + 1));
  }

  /** Runs the program. */
  public static void main(String[] args) throws Throwable {
    Calibrator program = new Calibrator(args);
    if (args[0].equals("virtual") && program.arenasOfThread == 0) {
      Throwable[] failure = new Throwable[1];
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  program.run(Integer.parseInt(args[4]));
                } catch (Throwable e) {
                  failure[0] = e;
                }
              })
          .join();
      if (failure[0] != null) {
        throw failure[0];
      }
    } else {
      program.run(Integer.parseInt(args[4]));
    }
  }

  private void run(int millis) throws Throwable {
    long beforeNanos = processorNanos();
    double[] tookNanos = new double[WINDOWS];
    double[] arenas = new double[WINDOWS];
    double windowNanos = millis * 1e6 / WINDOWS;
    double more = BATCH;
    int windows = 0;
    while (windows < WINDOWS) {
      long start = processorNanos();
      long opened = arenasOfThread > 0 ? onThreads((long) more) : here((long) more);
      double took = Math.max(1000, processorNanos() - start);
      tookNanos[windows] += took;
      arenas[windows] += opened;
      if (tookNanos[windows] >= windowNanos / 2) {
        windows++;
      }
      more = Math.clamp(opened * windowNanos / took, BATCH, 2.0 * opened);
    }
    double warm = Double.MAX_VALUE;
    for (int i = WINDOWS / 2; i < WINDOWS; i++) {
      warm = Math.min(warm, tookNanos[i] / arenas[i]);
    }
    double cold = beforeNanos;
    for (int i = 0; i < WINDOWS / 2; i++) {
      cold += tookNanos[i] - warm * arenas[i];
    }
    System.out.printf(Locale.ROOT, "%.3f %.0f %s %d%n", warm, cold, Runtime.version(), sum & 1);
  }

  private long here(long arenas) throws Throwable {
    long opened = 0;
    while (opened < arenas) {
      for (Part part : parts) {
        sum += part.calls().make(part.requests(), position, part.share(), waitMillis);
        opened += part.share();
      }
      position += BATCH;
    }
    return opened;
  }

  private long onThreads(long arenas) throws InterruptedException {
    Semaphore free = new Semaphore(atOnce);
    long opened = 0;
    for (; opened < arenas; opened += arenasOfThread) {
      free.acquire();
      int from = position;
      position += arenasOfThread;
      threads
          .newThread(
              () -> {
                try {
                  Part part = parts.get((from / arenasOfThread) % parts.size());
                  part.calls().make(part.requests(), from, arenasOfThread, waitMillis);
                } catch (Throwable e) {
                  throw new IllegalStateException(e);
                } finally {
                  free.release();
                }
              })
          .start();
    }
    free.acquire(atOnce);
    return opened;
  }

  private static long processorNanos() throws Throwable {
    return 1000 * (long) CLOCK.invokeExact();
  }
}
