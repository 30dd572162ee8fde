package dev.rockpool.junit;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/** Compares what the lines of the program hold before and after a test. */
final class NativeMemoryExtension
    implements ExecutionCondition, BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(NativeMemoryExtension.class);

  /** Lines that a message names. */
  private static final int NAMED = 5;

  /** The memory in use when a test began, by kind and line. */
  private record Start(Map<String, Long> inUse) {
    long sum() {
      return inUse.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns how much more there is of what, by kind and line. */
    Map<String, Long> growth(Map<String, Long> now) {
      Map<String, Long> grown = new HashMap<>();
      now.forEach(
          (site, bytes) -> {
            long more = bytes - inUse.getOrDefault(site, 0L);
            if (more > 0) {
              grown.put(site, more);
            }
          });
      return grown;
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String missing = Book.whatIsMissing();
    return missing == null
        ? ConditionEvaluationResult.enabled("The agent counts native memory")
        : ConditionEvaluationResult.disabled(missing);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    NativeMemory rule = rule(context);
    bytes("leaks", rule.leaks());
    long most = bytes("most", rule.most());
    Book book = Book.ofThisJvm();
    if (book.inUse().keySet().stream().anyMatch(Book::isCollected)) {
      book.collect(); // else garbage of an earlier test could be freed in this one
    }
    Start start = new Start(book.inUse());
    context.getStore(NAMESPACE).put(Start.class, start);
    book.watch(Math.min(most, Long.MAX_VALUE - start.sum()) + start.sum());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Start start = context.getStore(NAMESPACE).remove(Start.class, Start.class);
    if (start == null || context.getExecutionException().isPresent()) {
      return;
    }
    NativeMemory rule = rule(context);
    String highest = checkHighest(start, rule.most());
    String leaks = checkLeaks(start, rule.leaks());
    if (!highest.isEmpty() || !leaks.isEmpty()) {
      throw new AssertionError(
          highest.isEmpty() || leaks.isEmpty() ? highest + leaks : highest + "\n" + leaks);
    }
  }

  /** Returns what is wrong; empty if nothing is. */
  private static String checkHighest(Start start, String most) {
    long allowed = bytes("most", most);
    Book book = Book.ofThisJvm();
    long held = book.highest() - start.sum();
    return held <= allowed
        ? ""
        : String.format(
            "A test must hold at most %d bytes of native memory at a time, @NativeMemory(most ="
                + " \"%s\"): held %d bytes. When there were too many, they were held"
                + " by:%s%nFree memory sooner, or allow more.",
            allowed, most, held, lines(start.growth(book.watched())));
  }

  private static String checkLeaks(Start start, String leaks) {
    long allowed = bytes("leaks", leaks);
    Book book = Book.ofThisJvm();
    Map<String, Long> left = leaks(start, book);
    if (sum(left) > allowed && left.keySet().stream().anyMatch(Book::isCollected)) {
      book.collect();
      left = leaks(start, book);
    }
    return sum(left) <= allowed
        ? ""
        : String.format(
            "A test must leave at most %d bytes of native memory unfreed, @NativeMemory(leaks ="
                + " \"%s\"): left %d bytes. They were taken by:%s%nClose arenas and free"
                + " buffers before the test ends, or allow what a library keeps.",
            allowed, leaks, sum(left), lines(left));
  }

  private static Map<String, Long> leaks(Start start, Book book) {
    Map<String, Long> left = start.growth(book.inUse());
    left.keySet().removeIf(site -> site.startsWith("global "));
    return left;
  }

  private static long sum(Map<String, Long> bySite) {
    return bySite.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the largest, each in a line of its own with its kind. */
  private static String lines(Map<String, Long> bySite) {
    StringJoiner lines = new StringJoiner("\n  ", "\n  ", "");
    bySite.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(NAMED)
        .forEach(
            each -> {
              String[] kindAndLine = each.getKey().split(" ", 2);
              lines.add(
                  kindAndLine[1] + " (" + kindAndLine[0] + ", " + each.getValue() + " bytes)");
            });
    int others = bySite.size() - NAMED;
    return others > 0 ? lines.add("and " + others + " more").toString() : lines.toString();
  }

  /** Returns the annotation of the method, or else of the class or one around it. */
  private static NativeMemory rule(ExtensionContext context) {
    for (Optional<ExtensionContext> each = Optional.of(context);
        each.isPresent();
        each = each.get().getParent()) {
      Optional<NativeMemory> found =
          each.get()
              .getElement()
              .flatMap(element -> AnnotationSupport.findAnnotation(element, NativeMemory.class));
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new ExtensionConfigurationException(
        "The extension must be registered by @NativeMemory: " + context.getDisplayName());
  }

  /** Parses a size. */
  private static long bytes(String attribute, String text) {
    if (text.equals("any")) {
      return Long.MAX_VALUE;
    }
    boolean isLeaks = attribute.equals("leaks");
    if (isLeaks && text.equals("none")) {
      return 0;
    }
    if (text.matches("[0-9]{1,18}|[0-9]{1,9}[kmg]")) {
      int unit = "kmg".indexOf(text.charAt(text.length() - 1)) + 1;
      String digits = unit == 0 ? text : text.substring(0, text.length() - 1);
      return Long.parseLong(digits) << (10 * unit);
    }
    throw new ExtensionConfigurationException(
        String.format(
            "@NativeMemory's %s must be %sany, or a number of bytes, perhaps with the suffix k, m"
                + " or g: \"%s\"",
            attribute, isLeaks ? "none, " : "", text));
  }
}
