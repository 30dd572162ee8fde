package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Option;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Names and counts of rewritten and skipped classes since the agent was installed. Option {@code
 * verbose}, JMX and the uninstall use them.
 */
final class AgentReport {
  /**
   * Most names of each kind that are kept, because a program may make classes without end. Further
   * classes are only counted.
   */
  static final int MOST_NAMES = 4096;

  private static final long PAUSE_NANOS = 100_000_000;

  /** Reasons not to rewrite a class that has call sites. */
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

    /** Returns the reason as messages and JMX name it. */
    String text() {
      return text;
    }
  }

  private final String version;
  private final AgentOptions options;
  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();
  private final Map<Skip, Set<String>> skipped = new EnumMap<>(Skip.class);

  /** Number of transformers that rewrite classes. */
  private final AtomicInteger transformers = new AtomicInteger();

  /** 1 once a class was looked at. Not an AtomicBoolean, whose class takes longer to initialize. */
  private final AtomicInteger looked = new AtomicInteger();

  /** The earliest time of the next first look. Not volatile: written before {@code looked}. */
  private long againNanos = System.nanoTime();

  /** Ids of the threads that are making the transformers leave. */
  private final Set<Long> leaving = ConcurrentHashMap.newKeySet();

  /** Number of rewritten classes whose names are not kept. */
  private final AtomicInteger rewrittenBeyond = new AtomicInteger();

  /** Numbers of skipped classes whose names are not kept. */
  private final Map<Skip, AtomicInteger> skippedBeyond = new EnumMap<>(Skip.class);

  /** Lines not yet printed; null if not verbose. */
  private final @Nullable Queue<String> untold;

  AgentReport(String version, AgentOptions options) {
    this.version = version;
    this.options = options;
    this.untold = options.has(Option.VERBOSE) ? new ConcurrentLinkedQueue<>() : null;
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

  /** Notes that a transformer rewrites classes from now on. */
  void transformerJoins() {
    transformers.incrementAndGet();
  }

  /** Notes that a transformer rewrites nothing from now on. */
  void transformerLeaves() {
    transformers.decrementAndGet();
  }

  /** Returns the number of transformers that have not left. */
  int transformers() {
    return transformers.get();
  }

  /** Returns true once, at the first class with call sites; again after {@link #lookAgain}. */
  boolean isFirstLook() {
    return looked.get() == 0 && System.nanoTime() - againNanos >= 0 && looked.compareAndSet(0, 1);
  }

  /** Has a later class, or the pool's start, count as the first: the system had no thread. */
  void lookAgain() {
    againNanos = System.nanoTime() + PAUSE_NANOS;
    looked.set(0);
  }

  /** Notes that this thread makes the transformers leave, until {@link #stopLeaving}. */
  void startLeaving() {
    leaving.add(Thread.currentThread().threadId());
  }

  void stopLeaving() {
    leaving.remove(Thread.currentThread().threadId());
  }

  /** Whether this thread makes the transformers leave; they obey only such a thread. */
  boolean isLeaving() {
    return leaving.contains(Thread.currentThread().threadId());
  }

  /**
   * Notes that a class, its name in internal form, is about to be rewritten.
   *
   * @return whether the class is the first of that name
   */
  boolean rewrites(String className) {
    return add(className, rewritten, rewrittenBeyond);
  }

  /**
   * Whether a class of that name, in internal form, may have been rewritten. If there were too many
   * to keep all names, true for every class that the options cover.
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
   * Notes that a class with call sites, its name in internal form, is not rewritten. Prints nothing
   * and does not fail, because stack or heap may be exhausted.
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

  /** Notes the same for an unexpected cause, and prints the cause, verbose or not. */
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

  /** Prints the lines not yet printed. */
  void tell() {
    Queue<String> lines = untold;
    if (lines != null) {
      for (String line = lines.poll(); line != null; line = lines.poll()) {
        Console.print(line);
      }
    }
  }

  /** Returns the number of rewritten classes; those of the same name count once, if it is kept. */
  int rewrittenClasses() {
    int count = rewrittenBeyond.get();
    for (String name : rewritten) {
      count += names(Skip.REFUSED).contains(name) ? 0 : 1;
    }
    return count;
  }

  /** Returns the numbers of skipped classes, by reason; counted as rewritten classes are. */
  Map<String, Integer> skippedClasses() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Skip reason : Skip.values()) {
      counts.put(reason.text(), names(reason).size() + beyond(reason).get());
    }
    return counts;
  }

  /** Returns the kept binary names of the rewritten classes, sorted. */
  List<String> rewrittenNames() {
    Set<String> refused = names(Skip.REFUSED);
    return rewritten.stream()
        .filter(name -> !refused.contains(name))
        .map(AgentReport::binary)
        .sorted()
        .toList();
  }

  /** Returns the kept binary names of the skipped classes, sorted, by reason. */
  Map<String, List<String>> skippedNames() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    skipped.forEach(
        (reason, names) ->
            byReason.put(reason.text(), names.stream().map(AgentReport::binary).sorted().toList()));
    return byReason;
  }

  private static String binary(String className) {
    return className.replace('/', '.');
  }
}
