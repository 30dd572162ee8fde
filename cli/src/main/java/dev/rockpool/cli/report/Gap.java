package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.ProcessMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the memory of a process is, and the gap: what the system gave it beyond what the JVM and
 * Java code account for. Of several JVMs, that with the largest resident set.
 *
 * <p>What is committed need not be resident, so each part is at most as large as stated, and the
 * gap is at least so large.
 *
 * @param figures by the names of {@link ProcessMemory}, as far as they are known
 * @param categories committed bytes by category of native memory tracking; empty without it
 * @param javas live bytes of Java code by kind
 */
record Gap(Map<String, Long> figures, Map<String, Long> categories, Map<String, Long> javas) {
  /** A part of the resident set, in bytes: exactly, "at most" or "at least". */
  record Part(String where, String bound, long bytes) {}

  /** Less than this, or than this part of the resident set, is not worth a sentence. */
  private static final long LITTLE = 64 << 20;

  private static final long LITTLE_PART = 10;

  /** A category of the JVM of which less is committed has no row. */
  private static final long LITTLE_CATEGORY = 1 << 20;

  /** As many arenas come from many threads; glibc makes up to eight for each processor. */
  private static final long MANY_ARENAS = 8;

  private static final String AT_MOST = "at most";
  private static final String AT_LEAST = "at least";
  private static final String JAVA_HEAP = "Java Heap";

  /** Returns null if no recording has the resident set. */
  static @Nullable Gap of(Report report) {
    return report.figures().memories().entrySet().stream()
        .map(
            each ->
                new Gap(
                    each.getValue().figures(),
                    each.getValue().categories(),
                    report.figures().holders().liveBytes(each.getKey())))
        .filter(gap -> gap.get(ProcessMemory.RESIDENT) > 0)
        .max(Comparator.comparingLong(gap -> gap.get(ProcessMemory.RESIDENT)))
        .orElse(null);
  }

  private boolean isTracked() {
    return !categories.isEmpty();
  }

  private long get(String name) {
    return figures.getOrDefault(name, 0L);
  }

  /**
   * Bytes that Java code holds, of the kinds that native memory tracking counts, or of the others.
   */
  private long javas(boolean isTracked) {
    Map<String, Long> some = new HashMap<>(javas);
    some.keySet().removeIf(kind -> kind.equals("mapped") || kind.equals("malloc") == isTracked);
    return sum(some);
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(each -> each).sum();
  }

  /** Bytes that the JVM or Java code accounts for. Resident files are files, mapped or not. */
  private long accounted() {
    long files = get(ProcessMemory.FILES);
    return (files == 0 ? javas.getOrDefault("mapped", 0L) : files)
        + javas(false)
        + (isTracked() ? sum(categories) : get(ProcessMemory.HEAP) + javas(true));
  }

  private long gap() {
    return Math.max(0, get(ProcessMemory.RESIDENT) - accounted());
  }

  private long freeInMalloc() {
    return Math.min(get(ProcessMemory.MALLOC_FREE), gap());
  }

  /** Bytes of Java code that native memory tracking counts, and no site holds. */
  private long heldByNoSite() {
    return Math.max(0, categories.getOrDefault(ProcessMemory.OTHER, 0L) - javas(true));
  }

  private long left() {
    return gap() - freeInMalloc();
  }

  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("resident set", "", get(ProcessMemory.RESIDENT)));
    parts.add(new Part("resident set, the most so far", "", get(ProcessMemory.PEAK)));
    parts.add(new Part("files: libraries, jars, mapped files", "", get(ProcessMemory.FILES)));
    if (isTracked()) {
      addCategories(parts);
    } else {
      parts.add(new Part("JVM: " + JAVA_HEAP, AT_MOST, get(ProcessMemory.HEAP)));
    }
    javas.forEach((kind, bytes) -> parts.add(new Part("Java code: " + kind, AT_MOST, bytes)));
    parts.add(new Part("Java code: held by no recorded site", AT_LEAST, heldByNoSite()));
    parts.add(
        new Part(
            "free in glibc's %s arenas".formatted(Numbers.count(get(ProcessMemory.MALLOC_ARENAS))),
            AT_MOST,
            freeInMalloc()));
    parts.removeIf(part -> part.bytes() == 0);
    parts.add(
        new Part(
            isTracked()
                ? "left: C code, and what malloc keeps"
                : "left: C code, and the JVM without its heap",
            AT_LEAST,
            left()));
    return parts;
  }

  private void addCategories(List<Part> parts) {
    Map<String, Long> rest = new HashMap<>(categories);
    rest.remove(ProcessMemory.OTHER);
    categories.entrySet().stream()
        .filter(each -> each.getValue() >= LITTLE_CATEGORY && rest.containsKey(each.getKey()))
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            each -> {
              rest.remove(each.getKey());
              parts.add(new Part("JVM: " + each.getKey(), AT_MOST, each.getValue()));
            });
    parts.add(new Part("JVM: other categories", AT_MOST, sum(rest)));
  }

  Table table() {
    return Table.each(parts())
        .column("where the process's memory is", Part::where)
        .column("bytes", part -> (part.bound() + " " + Numbers.count(part.bytes())).strip())
        .column("MiB", part -> part.bytes() >> 20)
        .column("of resident set", part -> Numbers.share(part.bytes(), get(ProcessMemory.RESIDENT)))
        .numbers("Resident set of the process");
  }

  private boolean isMuch(long bytes) {
    return bytes >= LITTLE && bytes >= get(ProcessMemory.RESIDENT) / LITTLE_PART;
  }

  /** Sentences on what is in the gap, where there is much. */
  List<String> advice() {
    List<String> advice = new ArrayList<>();
    if (isMuch(freeInMalloc())) {
      advice.add(
          "Free in malloc: at most %s of the resident set is free in glibc's %s, and not given back to the system. -XX:TrimNativeHeapInterval=10000 gives it back every ten seconds.%s"
              .formatted(
                  Numbers.bytes(freeInMalloc()),
                  Numbers.counted(get(ProcessMemory.MALLOC_ARENAS), "arena"),
                  get(ProcessMemory.MALLOC_ARENAS) < MANY_ARENAS
                      ? ""
                      : " With MALLOC_ARENA_MAX=2 in the environment, threads share two"
                          + " arenas: that keeps less if each of many keeps a little, and"
                          + " threads may wait for each other."));
    }
    if (isMuch(heldByNoSite())) {
      advice.add(
          "Held by no site: native memory tracking has at least %s of Java code that no recorded site holds. If threads read or write large heap buffers through channels, each keeps a buffer as large as its largest: -Djdk.nio.maxCachedBufferSize=262144 limits those. Arenas that are not seen count there, too."
              .formatted(Numbers.bytes(heldByNoSite())));
    }
    if (isMuch(left())) {
      advice.add(
          (isTracked()
                  ? "C code: at least %s of the resident set is neither the JVM's nor Java code's."
                      + " C code holds it, which a profiler of malloc shows."
                  : "Not told apart: at least %s of the resident set is the JVM's, without its"
                      + " heap, or C code's. Record with -XX:NativeMemoryTracking=summary to tell"
                      + " which.")
              .formatted(Numbers.bytes(left())));
    }
    return advice;
  }
}
