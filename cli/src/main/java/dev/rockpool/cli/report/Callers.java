package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Holders;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Holders.Stack;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the callers of a library that is a site: the program's own lines, which a reader can
 * change.
 *
 * @param programs the first packages of the programs
 */
record Callers(Set<String> programs) {
  private static final Set<String> JDK = Set.of("java", "javax", "jdk", "sun", "com.sun");

  /** First packages that many libraries share. */
  private static final Set<String> FOUNDATIONS =
      Set.of(
          "org.apache",
          "org.eclipse",
          "org.springframework",
          "com.google",
          "com.github",
          "com.amazonaws",
          "io.github");

  /** Packages that have other libraries within. */
  private static final List<String> SHADED = List.of("io.grpc.netty");

  /** Those that may hold most first; the bytes of mapped files are not known by stack. */
  private static final Comparator<Stack> MOST =
      Comparator.<Stack>comparingLong(stack -> -stack.get(Field.LIVE_BYTES))
          .thenComparingLong(stack -> -stack.get(Field.LIVE));

  static Callers of(Report report) {
    return new Callers(
        report.merge().sources().stream()
            .map(source -> library(source.facts().getOrDefault("program", "") + ".main"))
            .collect(Collectors.toSet()));
  }

  /** Returns the name of a holder and its caller, if there is one. */
  String named(Holder holder) {
    String caller = caller(holder);
    return holder.name() + (caller.isEmpty() ? "" : ", called by " + caller);
  }

  /**
   * Returns the caller as a sentence, or why it is not known; empty if the site is the program's.
   */
  String sentence(Holder holder) {
    String caller = caller(holder);
    if (!caller.isEmpty()) {
      return " The first frame outside of " + library(holder.site()) + " is " + caller + ".";
    }
    return isOfLibrary(holder) && holder.stacks().stream().anyMatch(Stack::isCut)
        ? " All recorded frames are of "
            + library(holder.site())
            + ", and the stacks were cut: record with option record.stack=64 to see who calls."
        : "";
  }

  private boolean isOfLibrary(Holder holder) {
    String library = library(holder.site());
    return !library.isEmpty() && !programs.contains(library);
  }

  /**
   * Returns the first frame outside of the library, of the stack that holds most; empty if there is
   * none. Stacks are samples: if none of them holds anything, they tell only if all have the same.
   */
  private String caller(Holder holder) {
    if (!isOfLibrary(holder)) {
      return "";
    }
    List<String> holding =
        callers(holder, stack -> stack.get(Field.LIVE) + stack.get(Field.LEAKED) > 0);
    List<String> all = callers(holder, stack -> true);
    return !holding.isEmpty() ? holding.getFirst() : all.size() == 1 ? all.getFirst() : "";
  }

  /** Searched from the site on outwards, because the library may call others, too. */
  private static List<String> callers(Holder holder, Predicate<Stack> which) {
    String library = library(holder.site());
    return holder.stacks().stream()
        .filter(which)
        .sorted(MOST)
        .flatMap(
            stack ->
                stack
                    .text()
                    .lines()
                    .dropWhile(
                        frame ->
                            !frame.equals(holder.site()) && stack.text().contains(holder.site()))
                    .filter(frame -> isOutside(library, frame))
                    .limit(1))
        .distinct()
        .toList();
  }

  private static boolean isOutside(String library, String frame) {
    String packages = packages(frame, 2);
    return !frame.equals(Holders.CUT)
        && !library(frame).equals(library)
        && !JDK.contains(packages)
        && !JDK.contains(packages.split("\\.", 2)[0]);
  }

  /** Returns the first packages of a frame, which a library has alone. */
  private static String library(String frame) {
    String two = packages(frame, 2);
    String three = packages(frame, 3);
    return FOUNDATIONS.contains(two) || SHADED.stream().anyMatch(three::startsWith) ? three : two;
  }

  /** Returns the first packages of a frame, class.method:line. */
  private static String packages(String frame, int most) {
    List<String> names = List.of(frame.split("\\.", -1));
    return String.join(".", names.subList(0, Math.clamp(names.size() - 2, 0, most)));
  }
}
