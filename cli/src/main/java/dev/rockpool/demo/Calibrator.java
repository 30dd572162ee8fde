package dev.rockpool.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;

/**
 * Opens and closes an arena again and again, for less than half a second. Arguments: the kind of
 * thread ({@code platform} or {@code virtual}), and the bytes to allocate in each arena.
 *
 * <p>Prints a line of six words: the nanoseconds of an arena after warm-up, the nanoseconds of
 * processor time that start and warm-up took beside these, the version of the JDK, the class of the
 * arenas, whether the agent left them to the JDK's own pool, and a digit without meaning.
 */
public final class Calibrator {
  /** More than C2 needs to compile the loop, and the agent to start its pool. */
  private static final int WARM_UP = 2_000_000;

  private static final int BATCH = 50_000;
  private static final long MEASURED_NANOS = 150_000_000;

  private Calibrator() {}

  public static void main(String[] args) throws Exception {
    int byteSize = Integer.parseInt(args[1]);
    FutureTask<String> measurement = new FutureTask<>(() -> measure(byteSize));
    (args[0].equals("virtual") ? Thread.ofVirtual() : Thread.ofPlatform()).start(measurement);
    System.out.println(measurement.get());
  }

  private static String measure(int byteSize) {
    long sum = 0; // so that no arena is dead code
    for (int opened = 0; opened < WARM_UP; opened += BATCH) {
      sum += openBatch(byteSize);
    }
    double processorNanos =
        ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    List<Double> batches = new ArrayList<>();
    long start = System.nanoTime();
    for (long now = start; now - start < MEASURED_NANOS; ) {
      long before = now;
      sum += openBatch(byteSize);
      now = System.nanoTime();
      batches.add((double) (now - before) / BATCH);
    }
    Collections.sort(batches);
    double nanos = batches.get(batches.size() / 2);
    double startNanos = Math.max(0, processorNanos - nanos * WARM_UP);
    return String.format(
        Locale.ROOT,
        "%.3f %.0f %s %s %s %d",
        nanos,
        startNanos,
        Runtime.version(),
        classOfArenas(),
        System.getProperty("rockpool.agent.jdk.pool") != null,
        sum & 1);
  }

  private static String classOfArenas() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.getClass().getName();
    }
  }

  private static long openBatch(int byteSize) {
    long sum = 0;
    for (int i = 0; i < BATCH; i++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment segment = arena.allocate(byteSize);
        segment.set(ValueLayout.JAVA_BYTE, byteSize - 1, (byte) i);
        VarHandle.releaseFence(); // else C2 merges the arenas of a batch
        sum += segment.get(ValueLayout.JAVA_BYTE, byteSize - 1);
      }
    }
    return sum;
  }
}
