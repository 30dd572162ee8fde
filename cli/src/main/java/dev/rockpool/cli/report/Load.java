package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.Served;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Histogram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The arenas of one kind of thread, as far as their cost depends on it.
 *
 * @param arenas that the pool serves
 * @param jvms that opened them
 * @param perThread arenas of each thread; 0 for threads that live on
 * @param atOnce threads at the same time
 * @param waitMillis how long each waits inside an arena
 * @param sites for each class that opens arenas, on threads of any kind, its share of 1000, and its
 *     requests with counts, {@code 250;20=3,20+40=1}
 */
record Load(
    ThreadKind kind,
    long arenas,
    int jvms,
    int perThread,
    int atOnce,
    int waitMillis,
    List<String> sites) {
  /** The JDK serves larger arenas. */
  private static final long LARGEST = Figures.LARGE_BLOCK;

  private static final int MOST_SITES = 8;
  private static final int MOST_REQUESTS = 64;

  /** Bytes of which a footprint is a multiple. */
  private static final int GRANULE = 16;

  /** From so many on, what a thread's start and end cost does not count. */
  private static final long MANY_OF_THREAD = 1000;

  /** A JVM itself makes up to this many threads. */
  private static final long FEW_THREADS = 1000;

  /** Virtual threads beyond the pool's reach, for each processor. */
  private static final int WAITING = 2;

  /** Threads at once where threads end soon and do not wait. */
  private static final int AT_ONCE = 1000;

  private static final int MOST_AT_ONCE = 4096;
  private static final int LONGEST_WAIT_MILLIS = 20;
  private static final int MOST_WAITS = 10;

  /** The load of each kind of thread that opens at least one arena in a hundred. */
  static List<Load> of(Figures figures) {
    long all = figures.all().arenas();
    List<Load> loads = new ArrayList<>();
    for (ThreadKind kind : ThreadKind.values()) {
      long arenas = figures.of(kind).arenas();
      if (arenas > 0 && arenas >= all / 100) {
        loads.add(of(figures, kind));
      }
    }
    return loads;
  }

  private static Load of(Figures figures, ThreadKind kind) {
    var group = figures.of(kind);
    // Recordings count threads of both kinds together.
    boolean isMixed = kind == ThreadKind.PLATFORM && figures.of(ThreadKind.VIRTUAL).arenas() > 0;
    long perThread =
        isMixed || figures.threads() < FEW_THREADS * Math.max(1, figures.jvms())
            ? 0
            : Math.round((double) group.arenas() / figures.threads());
    double waiting = kind == ThreadKind.VIRTUAL ? figures.openAtOnce() : 0;
    int waitMillis = 0;
    if (waiting > WAITING * figures.processors()) {
      double millis = figures.recordedNanos() / 1e6 * waiting / group.arenas();
      waitMillis = Math.clamp(Math.round(millis), 1, LONGEST_WAIT_MILLIS);
      perThread = Math.clamp(perThread, 1, MOST_WAITS);
    }
    return new Load(
        kind,
        served(figures, kind),
        Math.max(1, figures.jvms()),
        perThread >= MANY_OF_THREAD ? 0 : (int) perThread,
        waitMillis > 0 ? (int) Math.min(waiting, MOST_AT_ONCE) : AT_ONCE,
        waitMillis,
        sites(figures));
  }

  /**
   * The arenas that the pool serves. Where the pool was at work, the recording tells; else those
   * that are small enough.
   */
  private static long served(Figures figures, ThreadKind kind) {
    return figures.of(kind, Served.POOL).arenas()
        + figures.of(kind, Served.JDK).footprints().upTo(LARGEST - 1);
  }

  private static List<String> sites(Figures figures) {
    List<Site> sites =
        figures.sites().values().stream()
            .filter(site -> site.footprints().upTo(LARGEST - 1) > 0)
            .sorted(Comparator.comparingLong(Site::arenas).reversed())
            .limit(MOST_SITES)
            .toList();
    if (sites.isEmpty()) {
      var all = figures.all();
      return List.of("1000;" + requests(all.allocations(), all.bytes(), all.footprints()));
    }
    double arenas = sites.stream().mapToLong(Site::arenas).sum();
    return sites.stream()
        .map(
            site ->
                Math.max(1, Math.round(1000 * site.arenas() / arenas))
                    + ";"
                    + requests(site.allocations(), site.bytes(), site.footprints()))
        .toList();
  }

  /**
   * Sizes, each with its count. Recordings tell allocations and bytes of all arenas together:
   * larger arenas are taken for more allocations, and each allocation for as much less than its
   * footprint.
   */
  private static String requests(long allocations, long bytes, Histogram footprints) {
    double allocating = footprints.total() - footprints.in(0);
    double mean = allocating == 0 ? 0 : allocations / allocating;
    double footprint =
        footprints.buckets().entrySet().stream()
            .mapToDouble(bucket -> (double) bucket.getKey() * bucket.getValue())
            .sum();
    double perByte = allocations / Math.max(1, footprint);
    boolean isSteady = Math.abs(mean - Math.rint(mean)) < 0.02;
    long padding =
        Math.clamp(Math.round((footprint - bytes) / Math.max(1, allocations)), 0, GRANULE - 1L);
    return footprints.buckets().headMap(LARGEST).entrySet().stream()
        .map(
            bucket ->
                sizes(bucket.getKey(), isSteady ? mean : perByte * bucket.getKey(), padding)
                    + "="
                    + bucket.getValue())
        .collect(Collectors.joining(","));
  }

  private static String sizes(long footprint, double allocations, long padding) {
    if (footprint == 0) {
      return "";
    }
    long granules = footprint / GRANULE;
    long count = Math.clamp(Math.round(allocations), 1, Math.min(granules, MOST_REQUESTS));
    return LongStream.range(0, count)
        .map(i -> GRANULE * (granules / count + (i < granules % count ? 1 : 0)) - padding)
        .mapToObj(Long::toString)
        .collect(Collectors.joining("+"));
  }

  boolean waits() {
    return waitMillis > 0;
  }

  /** Whether each thread opens a few arenas, without waiting. */
  boolean endsSoon() {
    return perThread > 0 && !waits();
  }

  /** Milliseconds of processor time until figures settle, and some more. */
  private int millis() {
    return waits() ? 3000 : endsSoon() ? 2000 : 1000;
  }

  long servedOfJvm() {
    return arenas / jvms;
  }

  /** Arguments of the program that runs it. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of(kind.name().toLowerCase(Locale.ROOT)));
    IntStream.of(perThread, atOnce, waitMillis, millis())
        .forEach(number -> arguments.add(String.valueOf(number)));
    arguments.add(String.valueOf(servedOfJvm()));
    arguments.addAll(sites);
    return arguments;
  }
}
