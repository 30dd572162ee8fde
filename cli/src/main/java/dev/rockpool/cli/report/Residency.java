package dev.rockpool.cli.report;

import static java.util.stream.Collectors.toMap;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.page.Table.Cell;
import dev.rockpool.cli.report.recording.ProcessLooks.Look;
import dev.rockpool.cli.report.recording.ProcessLooks.Size;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * A resident set told apart at one look: resident bytes by part, which add up to it.
 *
 * <p>What the system can't tell apart is subtracted, in this order: of the resident memory of
 * {@code malloc}, the free is nobody's; then Rockpool knows the blocks of Java code, and native
 * memory tracking those of the JVM; the rest is C code's. Without tracking, the JVM's blocks, and
 * its mappings of which the kind is not known, are in the rest, and the names of the parts say so.
 */
record Residency(Look look, List<Part> parts) {
  /**
   * A part of the resident set.
   *
   * @param committed bytes that are committed or in use; 0 if only the resident ones are known
   */
  record Part(String part, long resident, long committed) {}

  static final String HEAP = "Java heap";
  static final String JAVA = "Java code: ";
  static final String NO_SITE = "Java code: held by no recorded site";
  static final String C = "C code";
  static final String C_AND_JVM = "C code, and the JVM's own malloc";
  static final String MAPS = "C code: mappings of its own";
  static final String MAPS_AND_JVM = "mappings of C code or the JVM's collector";
  static final String FREE = "free in malloc";
  static final String MAPPED = "files: mapped";
  static final String UNEXPLAINED = "unexplained";

  /** Groups of parts, beside those that have the names of parts. */
  static final String JVM = "the JVM";

  static final String JAVA_CODE = "Java code";
  static final String FILES = "libraries and jars";
  static final String MAPPED_FILES = "mapped files";

  /** Parts with fewer bytes have one row together. */
  private static final long LITTLE = 64 << 10;

  private static final String JVM_MALLOC = "JVM: malloc";
  private static final String CLASSES = "JVM: classes";
  private static final String ARENAS = "malloc heap";
  private static final String ANONYMOUS = "anonymous mappings";

  /** Kinds of Java code's memory that native memory tracking does not count as Java's. */
  private static final List<String> NOT_TRACKED = List.of(JAVA + "malloc");

  /** Kinds of which the program says by itself what it fills. */
  private static final List<String> NOT_FILLED = List.of(JAVA + "unsafe", JAVA + "malloc");

  /** Kinds that are no memory of malloc's. */
  private static final List<String> NO_MALLOC = List.of(JAVA + "mapped");

  static Residency of(Look look) {
    return new Residency(look, new Division(look).parts());
  }

  /** Divides what is known of a look into parts that do not overlap. */
  private static final class Division {
    private final Look look;
    private final SequencedMap<String, Size> parts = new LinkedHashMap<>();
    private long rest;

    Division(Look look) {
      this.look = look;
    }

    List<Part> parts() {
      if (look.part(HEAP).committed() == 0) { // no map of the process
        parts.put("files: libraries, jars, mapped", new Size(look.residentFiles(), 0));
      } else {
        divide();
      }
      long sum = parts.values().stream().mapToLong(Size::resident).sum();
      parts.put(UNEXPLAINED, new Size(Math.max(0, look.resident() - sum), 0));
      return parts.entrySet().stream()
          .map(
              each ->
                  new Part(each.getKey(), each.getValue().resident(), each.getValue().committed()))
          .filter(part -> part.resident > 0 || part.part.equals(UNEXPLAINED))
          .sorted(
              Comparator.comparing((Part part) -> part.part.equals(UNEXPLAINED))
                  .thenComparingLong(part -> -part.resident))
          .toList();
    }

    private void divide() {
      look.parts()
          .forEach(
              (name, size) -> {
                if (size.resident() > 0 && !name.equals(ARENAS) && !name.equals(ANONYMOUS)) {
                  parts.put(name, size);
                }
              });
      long maps = look.part(ANONYMOUS).resident();
      if (!look.isTracked()) { // only the sum of what the JVM has committed for classes is known
        Size classes = look.part(CLASSES);
        long metaspace = Math.min(maps, look.part("metaspace").committed());
        maps -= metaspace;
        parts.put(
            CLASSES, new Size(classes.resident() + metaspace, classes.committed() + metaspace));
      }
      long mapped = Math.min(maps, look.part("malloc: mapped").committed());
      maps -= mapped;
      long arenas = look.part(ARENAS).resident();
      long used = Math.min(arenas, look.part("malloc: in use in arenas").committed());
      rest = used + mapped;
      takeAll();
      parts.put(look.isTracked() ? C : C_AND_JVM, new Size(rest, 0));
      // Other allocators, such as jemalloc, reserve memory as glibc's arenas do.
      long free = Math.min(arenas - used, look.part("malloc: free in arenas").committed());
      parts.put(FREE, new Size(free, 0));
      maps += arenas - used - free;
      parts.put(look.isTracked() ? MAPS : MAPS_AND_JVM, new Size(maps, 0));
    }

    /**
     * Memory that is filled when it is allocated comes first: less of the others may be resident.
     */
    private void takeAll() {
      Map<String, Long> kinds = javas(look);
      long tracked = look.part("malloc: Java code").committed();
      long known = 0;
      for (Map.Entry<String, Long> kind : kinds.entrySet()) {
        known += NOT_TRACKED.contains(kind.getKey()) ? 0 : kind.getValue();
        if (!NOT_FILLED.contains(kind.getKey())) {
          take(kind.getKey(), kind.getValue());
        }
      }
      take(JVM_MALLOC, look.part("malloc: the JVM").committed());
      for (String kind : NOT_FILLED) {
        take(kind, kinds.getOrDefault(kind, 0L));
      }
      take(NO_SITE, Math.max(0, tracked - known));
    }

    /** Blocks of malloc may be larger than what of them is resident. */
    private void take(String part, long bytes) {
      long resident = Math.min(rest, bytes);
      rest -= resident;
      parts.put(part, new Size(resident, bytes));
    }
  }

  /** Returns the live bytes of Java code by kind, without mapped files. */
  private static Map<String, Long> javas(Look look) {
    return look.parts().entrySet().stream()
        .filter(each -> each.getKey().startsWith(JAVA) && !NO_MALLOC.contains(each.getKey()))
        .collect(
            toMap(
                Map.Entry::getKey,
                each -> each.getValue().committed(),
                Long::sum,
                LinkedHashMap::new));
  }

  /** Whether the process's map told the parts; else only files are known. */
  boolean isMapped() {
    return look.part(HEAP).committed() > 0;
  }

  long resident() {
    return look.resident();
  }

  long of(String name) {
    return parts.stream().filter(each -> each.part.equals(name)).mapToLong(Part::resident).sum();
  }

  long cCode() {
    return Stream.of(C, C_AND_JVM, MAPS).mapToLong(this::of).sum();
  }

  /** Returns the parts in few groups, for a chart and for sentences; each may be 0. */
  SequencedMap<String, Long> groups() {
    SequencedMap<String, Long> groups = new LinkedHashMap<>();
    for (String name :
        List.of(HEAP, JVM, JAVA_CODE, C, MAPS_AND_JVM, FREE, FILES, MAPPED_FILES, UNEXPLAINED)) {
      groups.put(name, 0L);
    }
    parts.forEach(part -> groups.merge(group(part.part), part.resident, Long::sum));
    if (look.isTracked()) {
      groups.remove(MAPS_AND_JVM);
    }
    return groups;
  }

  private static String group(String part) {
    if (part.startsWith("JVM: ")) {
      return JVM;
    }
    if (part.startsWith(JAVA)) {
      return JAVA_CODE;
    }
    return switch (part) {
      case HEAP, FREE, UNEXPLAINED, MAPS_AND_JVM -> part;
      case C, C_AND_JVM, MAPS -> C;
      case MAPPED -> MAPPED_FILES;
      default -> FILES;
    };
  }

  Table table(String caption) {
    List<Part> rows = new ArrayList<>(parts);
    rows.removeIf(part -> part.resident < LITTLE && !part.part.equals(UNEXPLAINED));
    long shown = rows.stream().mapToLong(Part::resident).sum();
    long all = parts.stream().mapToLong(Part::resident).sum();
    if (all > shown) {
      rows.add(rows.size() - 1, new Part("smaller parts", all - shown, 0));
    }
    return Table.each(rows)
        .column("part", Part::part)
        .column("MiB", part -> mebi(part.resident))
        .column("of resident set", part -> Numbers.cell(part.resident, resident()))
        .column("committed, MiB", part -> part.committed == 0 ? "-" : mebi(part.committed))
        .numbers(caption);
  }

  static Cell mebi(long bytes) {
    return new Cell(
        String.format(Locale.ROOT, "%,.1f", bytes / (double) (1 << 20)),
        Numbers.count(bytes) + " bytes",
        0);
  }
}
