package dev.rockpool.malloc;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What called {@code malloc}.
 *
 * @param line the line of the program, or what stands for it
 * @param library the C library, such as {@code libz.so}; empty if it is not known
 * @param stack the innermost frames, one in a line
 */
public record Origin(Category category, String line, String library, String stack) {
  /** Who is to account for the memory. */
  public enum Category {
    C("C code"),
    JVM("the JVM"),
    JAVA("Java code, by Unsafe"),
    PROFILER("the profiler");

    private final String text;

    Category(String text) {
      this.text = text;
    }

    /** Returns the name in events, tables and JSON. */
    public String text() {
      return text;
    }
  }

  /** What came from one line and library, whose stack with most bytes it has. */
  public record Sum(Origin origin, long bytes, long count) {
    /** Adds up the bytes and the number of blocks of origins, the most bytes first. */
    static List<Sum> byLine(Map<Origin, long[]> origins) {
      Map<Origin, Sum> lines = new HashMap<>();
      origins.entrySet().stream()
          .map(each -> new Sum(each.getKey(), each.getValue()[0], each.getValue()[1]))
          .sorted(Comparator.comparingLong(sum -> -sum.bytes))
          .forEach(
              sum ->
                  lines.merge(
                      new Origin(sum.origin.category, sum.origin.line, sum.origin.library, ""),
                      sum,
                      (most, other) ->
                          new Sum(
                              most.origin, most.bytes + other.bytes, most.count + other.count)));
      return lines.values().stream()
          .sorted(
              Comparator.<Sum>comparingLong(sum -> -sum.bytes)
                  .thenComparing(sum -> sum.origin.line))
          .toList();
    }
  }

  /**
   * A frame.
   *
   * @param owner the class, or the C library
   * @param line 0 or less if it is not known
   */
  record Frame(boolean isJava, String owner, String method, int line) {
    private String text() {
      return !isJava ? owner + "!" + method : owner + "." + method + (line > 0 ? ":" + line : "");
    }
  }

  private static final String UNSAFE = "jdk.internal.misc.Unsafe";
  private static final String TAKES_BY_UNSAFE = "llocateMemory0";
  private static final String JVM_LIBRARY = "libjvm.";
  private static final String PROFILER_LIBRARY = "libasyncProfiler";

  /** Libraries whose functions allocate for their callers. */
  private static final List<String> RUNTIMES =
      List.of("libc.so", "libc-", "libstdc++", "libc++", "libgcc_s", "ld-linux", "ld-musl");

  private static final int MOST_FRAMES = 32;

  /** Most characters of a name; of a longer one the end is kept. */
  private static final int LONGEST_NAME = 250;

  /**
   * Tells where memory comes from.
   *
   * @param frames the innermost first
   * @param thread the name of the thread
   * @param isLibrary whether a class allocates for others
   */
  static Origin of(List<Frame> frames, String thread, Predicate<String> isLibrary) {
    Category category = category(frames);
    if (category != Category.C) {
      return new Origin(category, "(" + category.text() + ")", "", "");
    }
    Frame library = library(frames);
    StringBuilder stack = new StringBuilder();
    for (Frame frame : frames.subList(0, Math.min(MOST_FRAMES, frames.size()))) {
      if (!isHook(frame)) {
        stack.append(stack.isEmpty() ? "" : "\n").append(shortened(frame.text()));
      }
    }
    return new Origin(
        category,
        shortened(line(frames, thread, isLibrary)),
        library == null ? "" : shortened(library.owner),
        stack.toString());
  }

  private static Category category(List<Frame> frames) {
    for (Frame frame : frames) {
      boolean isUnsafe =
          frame.isJava ? frame.owner.equals(UNSAFE) : frame.method.contains("Unsafe");
      if (isUnsafe && frame.method.contains(TAKES_BY_UNSAFE)) {
        return Category.JAVA;
      }
    }
    Frame library = library(frames);
    return library == null
        ? Category.C
        : library.owner.startsWith(JVM_LIBRARY)
            ? Category.JVM
            : library.owner.startsWith(PROFILER_LIBRARY) ? Category.PROFILER : Category.C;
  }

  private static @Nullable Frame library(List<Frame> frames) {
    Frame runtime = null;
    for (Frame frame : frames) {
      if (frame.isJava) {
        break;
      }
      if (!isHook(frame) && !frame.owner.isEmpty()) {
        if (RUNTIMES.stream().noneMatch(frame.owner::startsWith)) {
          return frame;
        }
        runtime = runtime == null ? frame : runtime;
      }
    }
    return runtime;
  }

  /** Whether a frame is the profiler's, in front of the function that it replaces. */
  private static boolean isHook(Frame frame) {
    return !frame.isJava
        && (frame.method.endsWith("_hook") || frame.method.endsWith("_hook_dummy"));
  }

  private static String line(List<Frame> frames, String thread, Predicate<String> isLibrary) {
    String ofJdk = "";
    String ofLibrary = "";
    for (Frame frame : frames) {
      if (!frame.isJava) {
        continue;
      }
      boolean isLibrarys = isLibrary.test(frame.owner) || Libraries.hasWithCCode(frame.owner);
      if (!isLibrarys && !Libraries.isJdk(frame.owner)) {
        return frame.text();
      }
      if (isLibrarys) {
        ofLibrary = ofLibrary.isEmpty() ? frame.text() : ofLibrary;
      } else {
        ofJdk = ofJdk.isEmpty() ? frame.text() : ofJdk;
      }
    }
    return !ofLibrary.isEmpty()
        ? ofLibrary
        : !ofJdk.isEmpty()
            ? "(the JDK) " + ofJdk
            : "(no Java frame, thread " + thread.replaceAll("\\d+", "#") + ")";
  }

  /** Returns a name, or the end of one that is too long. */
  public static String shortened(String name) {
    return name.length() <= LONGEST_NAME
        ? name
        : "..." + name.substring(name.length() - LONGEST_NAME + 3);
  }
}
