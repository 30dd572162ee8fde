package dev.rockpool.agent;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the agent did in this JVM since it came: names and numbers, for {@code verbose} and JMX, and
 * for whoever takes the agent out again.
 */
final class AgentReport {
  /**
   * The most names of each kind that are kept: a program may make classes without end. Those beyond
   * are counted.
   */
  static final int MOST_NAMES = 4096;

  /** Why a class that has call sites is not rewritten. */
  enum Skip {
    POOL_FULL("constant pool full"),
    SERIALIZABLE("serializable method reference"),
    ODD_CALL("call that fails when it runs"),
    EXCLUDED("excluded by options"),
    NO_SPACE("no stack or heap left"),
    REFUSED("refused by the JVM"),
    FAILED("failed");

    private final String text;

    Skip(String text) {
      this.text = text;
    }

    /** As messages and JMX name it. */
    String text() {
      return text;
    }
  }

  private final String version;
  private final AgentOptions options;
  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();
  private final Map<Skip, Set<String>> skipped = new EnumMap<>(Skip.class);

  /** How many transformers rewrite classes. */
  private final AtomicInteger transformers = new AtomicInteger();

  /** Ids of the threads that have the transformers leave right now. */
  private final Set<Long> leaving = ConcurrentHashMap.newKeySet();

  /** Rewritten classes whose names are not kept. */
  private final AtomicInteger rewrittenBeyond = new AtomicInteger();

  /** Skipped classes whose names are not kept. */
  private final Map<Skip, AtomicInteger> skippedBeyond = new EnumMap<>(Skip.class);

  /** Lines that were not printed yet; null where none are to be. */
  private final @Nullable Queue<String> untold;

  AgentReport(String version, AgentOptions options) {
    this.version = version;
    this.options = options;
    this.untold = options.verbose() ? new ConcurrentLinkedQueue<>() : null;
    for (Skip reason : Skip.values()) {
      skipped.put(reason, ConcurrentHashMap.newKeySet());
      skippedBeyond.put(reason, new AtomicInteger());
    }
  }

  String version() {
    return version;
  }

  AgentOptions options() {
    return options;
  }

  /** A transformer rewrites classes from now on. */
  void transformerJoins() {
    transformers.incrementAndGet();
  }

  /** A transformer rewrites nothing from now on. */
  void transformerLeaves() {
    transformers.decrementAndGet();
  }

  /** How many transformers have not left. */
  int transformers() {
    return transformers.get();
  }

  /** This thread has the transformers leave, until {@link #stopLeaving}. */
  void startLeaving() {
    leaving.add(Thread.currentThread().threadId());
  }

  void stopLeaving() {
    leaving.remove(Thread.currentThread().threadId());
  }

  /** Whether this thread has the transformers leave: no other one's work tells them to. */
  boolean isLeaving() {
    return leaving.contains(Thread.currentThread().threadId());
  }

  /**
   * A class is about to be rewritten, its name in internal form.
   *
   * @return whether it is the first of that name
   */
  boolean rewrites(String className) {
    return add(className, rewritten, rewrittenBeyond);
  }

  /**
   * Whether a class of that name, in internal form, may have been rewritten: where there were too
   * many to keep their names, all may that the options cover.
   */
  boolean mayHaveRewritten(String className) {
    return rewritten.contains(className)
        || (rewrittenBeyond.get() > 0 && options.covers(className.replace('/', '.')));
  }

  private static boolean add(String className, Set<String> names, AtomicInteger beyond) {
    if (names.size() < MOST_NAMES) {
      return names.add(className);
    }
    boolean isFirst = !names.contains(className);
    if (isFirst) {
      beyond.incrementAndGet();
    }
    return isFirst;
  }

  /**
   * A class that has call sites, its name in internal form, stays as it is. Prints nothing and does
   * not fail: there may be neither stack nor heap left.
   */
  void skips(String className, Skip reason) {
    try {
      if (add(className, names(reason), beyond(reason)) && untold != null) {
        untold.add(className.replace('/', '.') + ": not rewritten, " + reason.text());
      }
    } catch (StackOverflowError | OutOfMemoryError again) {
      beyond(Skip.NO_SPACE).incrementAndGet();
    }
  }

  /** The same, and says so with the cause, verbose or not: nobody expected it. */
  void skips(String className, Skip reason, Throwable cause) {
    add(className, names(reason), beyond(reason));
    Console.print(
        "could not rewrite " + className.replace('/', '.') + ", which goes on as it is", cause);
  }

  private Set<String> names(Skip reason) {
    return Objects.requireNonNull(skipped.get(reason));
  }

  private AtomicInteger beyond(Skip reason) {
    return Objects.requireNonNull(skippedBeyond.get(reason));
  }

  /** Prints the lines that were not printed yet. */
  void tell() {
    Queue<String> lines = untold;
    if (lines != null) {
      for (String line = lines.poll(); line != null; line = lines.poll()) {
        Console.print(line);
      }
    }
  }

  /** How many classes were rewritten; those of the same name count once, if it is kept. */
  int rewrittenClasses() {
    int count = rewrittenBeyond.get();
    for (String name : rewritten) {
      count += names(Skip.REFUSED).contains(name) ? 0 : 1;
    }
    return count;
  }

  /** How many classes were skipped, by reason; those of the same name count once, if it is kept. */
  Map<String, Integer> skippedClasses() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Skip reason : Skip.values()) {
      counts.put(reason.text(), names(reason).size() + beyond(reason).get());
    }
    return counts;
  }
}
