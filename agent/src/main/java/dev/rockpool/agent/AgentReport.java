package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Option;
import java.util.EnumMap;
import java.util.HashSet;
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

  /** Reasons not to rewrite a class that has call sites. */
  enum Skip {
    POOL_FULL("constant pool full"),
    SERIALIZABLE("serializable method reference"),
    ODD_CALL("call that fails when it runs"),
    EXCLUDED("excluded by options"),
    REFUSED("refused by the JVM"),
    FAILED("failed");

    /** The reason as messages and JMX name it. */
    final String text;

    Skip(String text) {
      this.text = text;
    }
  }

  final String version;
  final AgentOptions options;

  /** Whether confined arenas come from our pool, if the options do not exclude their class. */
  final boolean poolsArenas;

  private final Names rewritten = new Names();
  private final Map<Skip, Names> skipped = new EnumMap<>(Skip.class);

  /** Whether the transformer rewrites classes: until it has left. */
  volatile boolean isActive = true;

  /** Whether an uninstall has the transformer leave. */
  volatile boolean isLeaving;

  /** 1 once a class was looked at. Not an AtomicBoolean, whose class takes longer to initialize. */
  private final AtomicInteger looked = new AtomicInteger();

  /** Lines not yet printed; null if not verbose. */
  private final @Nullable Queue<String> untold;

  AgentReport(String version, AgentOptions options) {
    this.version = version;
    this.options = options;
    boolean check = options.has(Option.CHECK) || Agent.isCheckOn();
    this.poolsArenas =
        options.has(Option.ARENAS) && !JdkPool.serves(Runtime.version().feature(), options, check);
    this.untold = options.has(Option.VERBOSE) ? new ConcurrentLinkedQueue<>() : null;
    for (Skip reason : Skip.values()) {
      skipped.put(reason, new Names());
    }
  }

  /** Names of classes in internal form, up to a number, and a count of the others. */
  private static final class Names {
    final Set<String> kept = ConcurrentHashMap.newKeySet();
    final AtomicInteger others = new AtomicInteger();

    /** Adds a class; returns whether it is the first of that name, as far as names are kept. */
    boolean add(String className) {
      if (kept.size() < MOST_NAMES) {
        return kept.add(className);
      }
      boolean isFirst = !kept.contains(className);
      if (isFirst) {
        others.incrementAndGet();
      }
      return isFirst;
    }
  }

  /** Returns true once, at the first class with call sites. */
  boolean isFirstLook() {
    return looked.getAndSet(1) == 0;
  }

  /**
   * Notes that a class, its name in internal form, is about to be rewritten.
   *
   * @return whether the class is the first of that name
   */
  boolean rewrites(String className) {
    return rewritten.add(className);
  }

  /**
   * Whether a class of that name, in internal form, may have been rewritten. If there were too many
   * to keep all names, true for every class that the options cover.
   */
  boolean mayHaveRewritten(String className) {
    return rewritten.kept.contains(className)
        || (rewritten.others.get() > 0 && options.covers(binary(className)));
  }

  /** Notes that a class with call sites, its name in internal form, is not rewritten. */
  void skips(String className, Skip reason) {
    if (names(reason).add(className) && untold != null) {
      untold.add(binary(className) + ": not rewritten, " + reason.text);
    }
  }

  /** Notes the same for an unexpected cause, and prints the cause, verbose or not. */
  void skips(String className, Skip reason, Throwable cause) {
    names(reason).add(className);
    Console.print("could not rewrite " + binary(className) + ", which goes on as it is", cause);
  }

  private Names names(Skip reason) {
    return Objects.requireNonNull(skipped.get(reason));
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
    return rewritten.others.get() + rewrittenNames().size();
  }

  /** Returns the numbers of skipped classes, by reason; counted as rewritten classes are. */
  Map<String, Integer> skippedClasses() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    skipped.forEach(
        (reason, names) -> counts.put(reason.text, names.kept.size() + names.others.get()));
    return counts;
  }

  /** Returns the kept binary names of the rewritten classes, sorted. */
  List<String> rewrittenNames() {
    Set<String> names = new HashSet<>(rewritten.kept);
    names.removeAll(names(Skip.REFUSED).kept);
    return sorted(names);
  }

  /** Returns the kept binary names of the skipped classes, sorted, by reason. */
  Map<String, List<String>> skippedNames() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    skipped.forEach((reason, names) -> byReason.put(reason.text, sorted(names.kept)));
    return byReason;
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().map(AgentReport::binary).sorted().toList();
  }

  private static String binary(String className) {
    return className.replace('/', '.');
  }
}
