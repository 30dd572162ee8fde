package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolStatistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory at one moment.
 *
 * @param seconds since the start
 * @param arenas closed since the start
 * @param pool what the shared pool says
 * @param resident of the process (in bytes), or -1 where there is no way to know
 * @param heap in use (in bytes)
 * @param collections since the start
 */
record Reading(
    double seconds, long arenas, PoolStatistics pool, long resident, long heap, long collections) {
  static final String HEADER =
      "%8s %15s %11s %9s %8s %13s %9s %6s"
          .formatted(
              "seconds",
              "arenas",
              "a second",
              "pool KiB",
              "threads",
              "resident MiB",
              "heap MiB",
              "GCs");

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  static Reading now(long startNanos, long arenas) {
    Runtime runtime = Runtime.getRuntime();
    return new Reading(
        (System.nanoTime() - startNanos) / 1e9,
        arenas,
        ArenaPool.shared().statistics(),
        residentBytes(),
        runtime.totalMemory() - runtime.freeMemory(),
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
            .sum());
  }

  private static long residentBytes() {
    try {
      if (Files.isReadable(STATUS)) {
        Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
        return matcher.find() ? Long.parseLong(matcher.group(1)) << 10 : -1;
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line under {@link #HEADER}; the rate is that since {@code before}. */
  String line(Reading before) {
    return String.format(
        Locale.ROOT,
        "%8.1f %,15d %,11.0f %,9d %8d %13s %9.1f %6d",
        seconds,
        arenas,
        (arenas - before.arenas) / (seconds - before.seconds),
        pool.bytesKept() >> 10,
        pool.threads(),
        resident < 0 ? "-" : mebibytes(resident),
        heap / 0x1p20,
        collections);
  }

  static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 0x1p20);
  }
}
