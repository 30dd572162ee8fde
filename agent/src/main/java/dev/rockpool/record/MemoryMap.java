package dev.rockpool.record;

import static dev.rockpool.record.ProcessPart.CLASSES;
import static dev.rockpool.record.ProcessPart.CODE;
import static dev.rockpool.record.ProcessPart.COLLECTOR;
import static dev.rockpool.record.ProcessPart.HEAP;
import static dev.rockpool.record.ProcessPart.LIBRARIES;
import static dev.rockpool.record.ProcessPart.MALLOC;
import static dev.rockpool.record.ProcessPart.MAPPED;
import static dev.rockpool.record.ProcessPart.MAPS;
import static dev.rockpool.record.ProcessPart.OTHER_JVM;
import static dev.rockpool.record.ProcessPart.STACKS;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mappings of this process, added up by {@link ProcessPart}, from the JVM's commands. {@code
 * System.map} has the resident bytes of each mapping and, with native memory tracking, what the JVM
 * uses it for. Without tracking, heap and code are known by their addresses, thread stacks by a
 * flag; the tables of the collector and other mappings of the JVM's are not, and count as {@code
 * MAPS}.
 *
 * @param isTracked whether native memory tracking told the JVM's mappings
 * @param sizes by part; empty if the command is not there, or says something else than expected
 */
public record MemoryMap(boolean isTracked, Map<ProcessPart, Size> sizes) {
  /** Bytes of mappings that are resident, and bytes that may be used. */
  record Size(long resident, long committed) {
    private Size plus(Size other) {
      return new Size(resident + other.resident, committed + other.committed);
    }
  }

  /** Addresses from one to before the other. */
  record Range(long from, long to) {}

  private static final Pattern HEADER =
      Pattern.compile(
          "from\\s+to\\s+vsize\\s+prot\\s+rss\\s+hugetlb\\s+pgsz\\s+notes\\s+info\\s+file");

  private static final Pattern BRACKETS = Pattern.compile("\\[(0x[0-9a-f]+, )+0x[0-9a-f]+[])]");

  /** Begin the names of memory that is in no file of a disk. */
  private static final List<String> SHARED = List.of("/dev/zero", "/dev/shm/", "/memfd:", "/SYSV");

  /** Libraries, jars and the JDK's own files, by the ends of their names. */
  private static final Pattern LIBRARY =
      Pattern.compile(".*(\\.so|\\.jar|\\.jmod|\\.mo|/lib/modules|/bin/java)([.\\d]*)?");

  /** The JVM's heap where it is no private mapping, as with ZGC. */
  private static final String SHARED_HEAP = "java_heap";

  private static final int COLUMNS = 9;
  private static final int SIZE = 1;
  private static final int PROTECTION = 2;
  private static final int RESIDENT = 3;
  private static final int HUGE = 4;
  private static final int NOTES = 6;
  private static final int USE = 7;
  private static final int FILE = 8;

  /** Returns the resident bytes by part, most first; empty if they can't be known. */
  public static Map<String, Long> residentByPart() {
    Map<String, Long> bytes = new LinkedHashMap<>();
    read().sizes.entrySet().stream()
        .sorted(Comparator.comparingLong(each -> -each.getValue().resident))
        .forEach(each -> bytes.put(each.getKey().text, each.getValue().resident));
    return bytes;
  }

  /** Returns the bytes of those parts that C code, Java code and partly the JVM share. */
  public static long ofMallocAndMappings(Map<String, Long> residentByPart) {
    return residentByPart.getOrDefault(MALLOC.text, 0L)
        + residentByPart.getOrDefault(MAPS.text, 0L);
  }

  static MemoryMap read() {
    return of(
        JvmCommand.run("System.map"),
        ranges(JvmCommand.run("GC.heap_info")),
        ranges(JvmCommand.run("Compiler.codecache")));
  }

  /** Returns the addresses in a text that has them as "[0x1000, 0x3000)", with or without ends. */
  static List<Range> ranges(String text) {
    List<Range> ranges = new ArrayList<>();
    Matcher found = BRACKETS.matcher(text);
    while (found.find()) {
      String[] ends = found.group().replaceAll("[\\[\\]) ]|0x", "").split(",", -1);
      ranges.add(
          new Range(
              Long.parseUnsignedLong(ends[0], 16),
              Long.parseUnsignedLong(ends[ends.length - 1], 16)));
    }
    return ranges;
  }

  static MemoryMap of(String map, List<Range> heap, List<Range> code) {
    Map<ProcessPart, Size> sizes = new EnumMap<>(ProcessPart.class);
    if (!HEADER.matcher(map).find()) {
      return new MemoryMap(false, sizes);
    }
    boolean isTracked = !map.contains("NMT is disabled");
    ProcessPart before = MAPS;
    String end = "";
    boolean isGuard = false; // the mapping before
    for (String line : map.split("\n", -1)) {
      String[] columns = line.strip().split("\\s+", COLUMNS);
      if (columns.length == COLUMNS && columns[0].startsWith("0x")) {
        String[] addresses = columns[0].split("-", -1);
        long from = Long.parseUnsignedLong(addresses[0].substring(2), 16);
        boolean isNext = addresses[0].equals(end);
        ProcessPart part =
            !isTracked && isGuard && isNext && isStack(columns)
                ? STACKS
                : part(columns, from, heap, code);
        boolean isOfLibrary = part == MAPS && before == LIBRARIES && isNext;
        boolean isReserved = columns[PROTECTION].startsWith("---");
        Size size =
            new Size(
                Long.parseLong(columns[RESIDENT]) + Long.parseLong(columns[HUGE]),
                isReserved ? 0 : Long.parseLong(columns[SIZE]));
        // Behind a library's file are those of its variables that the file does not have.
        sizes.merge(isOfLibrary ? LIBRARIES : part, size, Size::plus);
        before = part;
        end = addresses[1];
        isGuard = isReserved;
      }
    }
    return new MemoryMap(isTracked, sizes);
  }

  /** Whether a mapping behind a guard may be the stack of a thread, which has no huge pages. */
  private static boolean isStack(String[] columns) {
    return columns[USE].equals("-")
        && columns[FILE].equals("-")
        && columns[NOTES].contains("nothp")
        && !columns[PROTECTION].startsWith("---");
  }

  private static ProcessPart part(String[] columns, long from, List<Range> heap, List<Range> code) {
    String use = columns[USE];
    String file = columns[FILE];
    if (!use.equals("-")) {
      return ofUse(use);
    }
    if (file.contains(SHARED_HEAP) || isIn(heap, from)) {
      return HEAP;
    }
    if (isIn(code, from)) {
      return CODE;
    }
    if (!file.equals("-")) {
      return ofFile(file);
    }
    // Reserved without swap space, as glibc's arenas are; and jemalloc's, which the report tells
    // apart.
    boolean mayBeArena = !columns[NOTES].contains("com") && !columns[PROTECTION].startsWith("---");
    return mayBeArena ? MALLOC : MAPS;
  }

  private static ProcessPart ofUse(String use) {
    if (use.startsWith("STACK")) {
      return STACKS;
    }
    return switch (use) {
      case "JAVAHEAP" -> HEAP;
      case "CLASS", "META", "CDS" -> CLASSES;
      case "CODE" -> CODE;
      case "GC", "CARDTBL" -> COLLECTOR;
      default -> use.startsWith("JAVAHEAP") ? HEAP : OTHER_JVM;
    };
  }

  private static ProcessPart ofFile(String name) {
    String file = name.replace(" (deleted)", "");
    if (file.equals("[heap]")) {
      return MALLOC;
    }
    if (file.startsWith("[stack")) {
      return STACKS;
    }
    if (file.endsWith(".jsa")) {
      return CLASSES;
    }
    if (SHARED.stream().anyMatch(file::startsWith)) {
      return MAPS;
    }
    return file.startsWith("[") || file.contains("/locale/") || LIBRARY.matcher(file).matches()
        ? LIBRARIES
        : MAPPED;
  }

  private static boolean isIn(List<Range> ranges, long address) {
    return ranges.stream().anyMatch(each -> each.from <= address && address < each.to);
  }
}
