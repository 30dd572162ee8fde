package dev.rockpool.demo;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Measures a call, over and over on one thread, in batches so large that the clock is no matter.
 */
final class Timer {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Call call;
  private final Pace pace;
  private long last;

  Timer(Call call, Pace pace) {
    this.call = call;
    this.pace = pace;
  }

  /** The median of all batches, and the garbage of all of them. */
  Measurement measure(String arenaClass) throws Throwable {
    int calls = warmUp();
    double[] nanosPerCall = new double[pace.batches()];
    long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < nanosPerCall.length; i++) {
      nanosPerCall[i] = (double) batch(calls) / calls;
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    Arrays.sort(nanosPerCall);
    return new Measurement(
        nanosPerCall[nanosPerCall.length / 2],
        (double) allocated / ((long) calls * nanosPerCall.length),
        arenaClass,
        call.result());
  }

  /** Calls until all is compiled; how many calls then make a batch. */
  private int warmUp() throws Throwable {
    long end = System.nanoTime() + pace.warmUp().toNanos();
    long wanted = pace.batch().toNanos();
    int calls = 1;
    long took;
    do {
      took = Math.max(1, batch(calls));
      calls = (int) Math.clamp(calls * wanted / took, 1, 2L * calls);
    } while (System.nanoTime() - end < 0);
    return calls;
  }

  private long batch(int calls) throws Throwable {
    long result = last;
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      result = call.make(i, result);
    }
    long nanos = System.nanoTime() - start;
    last = result;
    return nanos;
  }
}
