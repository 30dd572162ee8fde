package dev.rockpool.calibration;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
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
import java.util.stream.IntStream;

/**
 * Opens arenas as a recorded program did. Arguments: the kind of thread, the arenas of each thread
 * (0 for one thread that lives on), threads at once, milliseconds that each waits inside an arena,
 * milliseconds of processor time to take, the arenas of the program that the pool can serve; then
 * for each site its share of 1000 arenas, and sizes with their counts: {@code 250;20=3,20+40=1}.
 *
 * <p>Prints a line of these words:
 *
 * <ol>
 *   <li>nanoseconds of processor time for each arena once all is warm: the median of several times,
 *       because the least leaves out what malloc and the collector take now and then
 *   <li>nanoseconds that start and warm-up took beside these, until as many arenas were opened as
 *       the program opened
 *   <li>the same, until all was warm
 *   <li>the JDK's version
 *   <li>a digit without meaning
 * </ol>
 */
@SuppressWarnings("restricted") // links functions of the C library
public final class Calibrator {
  public static final MethodHandle STRLEN =
      function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  /** On POSIX the processor time of the process, in microseconds; on Windows wall time. */
  private static final MethodHandle CLOCK = function("clock", FunctionDescriptor.of(JAVA_LONG));

  /** Entries of a table of requests, a power of two. */
  private static final int TABLE = 1 << 10;

  /** Least arenas between two looks at the clock; the sites' shares are of as many. */
  private static final int BATCH = 1000;

  /** Parts of the time to take: the first half warms up, the second half is measured. */
  private static final int WINDOWS = 20;

  /** Makes a native call, with an arena. */
  public interface Call {
    long make(int[] sizes, int waitMillis) throws Throwable;
  }

  /** A class that opens arenas, and how it does. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(Call call, int share, int[][] requests) {
    /**
     * A loop of its own, which C2 compiles once: the calls of one or two sites are inlined here, as
     * in a program's own loop, and those of more sites stay calls.
     */
    long make(int from, int calls, int waitMillis) throws Throwable {
      long sum = 0;
      for (int i = from; i < from + calls; i++) {
        sum += call.make(requests[i & (TABLE - 1)], waitMillis);
      }
      return sum;
    }
  }

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
    for (String site : Arrays.asList(args).subList(6, args.length)) {
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
    double counted = 0;
    int from = 0;
    for (String entry : entries) {
      String sizes = entry.substring(0, entry.indexOf('='));
      counted += count(entry);
      int to = (int) Math.round(TABLE * counted / all);
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
                  program.run(Integer.parseInt(args[4]), Long.parseLong(args[5]));
                } catch (Throwable e) {
                  failure[0] = e;
                }
              })
          .join();
      if (failure[0] != null) {
        throw failure[0];
      }
    } else {
      program.run(Integer.parseInt(args[4]), Long.parseLong(args[5]));
    }
  }

  private void run(int millis, long programArenas) throws Throwable {
    double[] tookNanos = new double[WINDOWS];
    double[] arenas = new double[WINDOWS];
    double windowNanos = millis * 1e6 / WINDOWS;
    double beforeNanos = processorNanos();
    double now = beforeNanos;
    double openedBefore = 0;
    double batch = BATCH;
    double arenasOfProgram = 0;
    double nanosOfProgram = 0;
    int windows = 0;
    while (windows < WINDOWS) {
      double start = now;
      long opened = arenasOfThread > 0 ? onThreads((long) batch) : here((long) batch);
      now = processorNanos();
      double took = Math.max(1000, now - start);
      tookNanos[windows] += took;
      arenas[windows] += opened;
      if (windows < WINDOWS / 2 && openedBefore < programArenas) {
        double part = Math.min(1, (programArenas - openedBefore) / opened);
        arenasOfProgram = openedBefore + part * opened;
        nanosOfProgram = start + part * took;
      }
      openedBefore += opened;
      if (tookNanos[windows] >= windowNanos / 2) {
        windows++;
      }
      batch = Math.clamp(opened * windowNanos / took, BATCH, 2.0 * opened);
    }
    double warm = warmNanos(tookNanos, arenas);
    double startNanos = beforeNanos;
    for (int i = 0; i < WINDOWS / 2; i++) {
      startNanos += tookNanos[i] - warm * arenas[i];
    }
    System.out.printf(
        Locale.ROOT,
        "%.3f %.0f %.0f %s %d%n",
        warm,
        nanosOfProgram - warm * arenasOfProgram,
        startNanos,
        Runtime.version(),
        sum & 1); // so that no call is dead code
  }

  /** Returns the median of an arena, of the later half of the windows. */
  private static double warmNanos(double[] tookNanos, double[] arenas) {
    return IntStream.range(WINDOWS / 2, WINDOWS)
        .mapToDouble(i -> tookNanos[i] / arenas[i])
        .sorted()
        .skip(WINDOWS / 4)
        .findFirst()
        .orElseThrow();
  }

  private long here(long arenas) throws Throwable {
    long opened = 0;
    while (opened < arenas) {
      for (Part part : parts) {
        sum += part.make(position, part.share(), waitMillis);
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
                  part.make(from, arenasOfThread, waitMillis);
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
    return File.separatorChar == '/'
        ? 1000 * (long) CLOCK.invokeExact()
        : ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }
}
