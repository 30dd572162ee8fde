package dev.rockpool.bench.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in small: a thread for each request, and in each some arenas, each for one native call.
 *
 * <p>Prints a line of figures: requests a second, then in microseconds the latency that half, 99 %
 * and 99.9 % of the requests stay within, then the most memory resident (MiB).
 */
public final class Server {
  private static final String TEXT = "hello world";

  private Server() {}

  /** The thread for a request: a waiting one is virtual, and waits inside its one arena. */
  private enum Kind {
    PLATFORM,
    VIRTUAL,
    WAITING
  }

  private static void handle(Kind kind, int arenas) {
    try {
      if (kind == Kind.WAITING) {
        Binding.strlenAfter(5, TEXT); // as long as a query of a database near by
        return;
      }
      for (int i = 0; i < arenas; i++) {
        Binding.strlen(TEXT);
      }
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Takes the kind of requests, how many, arenas in each, and how many at once. */
  public static void main(String[] args) throws InterruptedException, IOException {
    Kind kind = Kind.valueOf(args[0].toUpperCase(Locale.ROOT));
    int requests = Integer.parseInt(args[1]);
    int arenas = Integer.parseInt(args[2]);
    int atOnce = Integer.parseInt(args[3]);
    ThreadFactory threads =
        kind == Kind.PLATFORM ? Thread.ofPlatform().factory() : Thread.ofVirtual().factory();
    long[] nanos = new long[requests];
    AtomicInteger served = new AtomicInteger();
    Semaphore free = new Semaphore(atOnce);
    long start = System.nanoTime();
    for (int i = 0; i < requests; i++) {
      free.acquire();
      threads
          .newThread(
              () -> {
                long begin = System.nanoTime();
                try {
                  handle(kind, arenas);
                } finally {
                  nanos[served.getAndIncrement()] = System.nanoTime() - begin;
                  free.release();
                }
              })
          .start();
    }
    free.acquire(atOnce);
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%.0f %.1f %.1f %.1f %d%n",
        requests / seconds,
        nanos[requests / 2] / 1e3,
        nanos[(int) (requests * 0.99)] / 1e3,
        nanos[(int) (requests * 0.999)] / 1e3,
        mostResident());
  }

  /** As the system counts it (MiB); 0 where it does not tell. */
  private static long mostResident() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }
}
