package dev.rockpool.agent;

import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.rewrite.Skip;
import dev.rockpool.watch.Resident;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The agent's options in this JVM, and its work since it was installed: names and counts of
 * rewritten and skipped classes. Option {@code verbose}, JMX and the uninstall use them.
 */
final class AgentReport implements AgentMXBean {
  /**
   * Most names of each kind that are kept, because a program may make classes without end. Further
   * classes are only counted.
   */
  static final int MOST_NAMES = 4096;

  final String version;
  final AgentOptions options;
  final boolean verbose;

  /** Whether arenas are to be checked, by the option or the system property. */
  final boolean checksArenas;

  /** Whether confined arenas come from our pool, if the options do not exclude their class. */
  final boolean poolsArenas;

  private final Names rewritten = new Names();
  private final Map<Skip, Names> skipped = new EnumMap<>(Skip.class);

  /** What counts native memory; null without options {@code limit} and {@code count}. */
  volatile @Nullable MemoryLimit limit;

  /** Whether the memory of the process is watched. */
  volatile boolean isWatched;

  /** The file for evidence; empty for none. */
  volatile String evidence = "";

  /** The most bytes that the process may have resident; 0 without such a bound. */
  volatile long processBound;

  /** Whether the transformer rewrites classes: until it has left. */
  volatile boolean isActive = true;

  /** Whether an uninstall has the transformer leave. */
  volatile boolean isLeaving;

  /** 1 once a class was looked at. Not an AtomicBoolean, whose class takes longer to initialize. */
  private final AtomicInteger looked = new AtomicInteger();

  AgentReport(String version, AgentOptions options) {
    this.version = version;
    this.options = options;
    verbose = options.has(Setting.VERBOSE);
    checksArenas =
        options.has(Setting.CHECK_ARENAS)
            || "on".equals(System.getProperty(Setting.CHECK.key(), "").strip());
    poolsArenas =
        options.has(Setting.ARENAS)
            && !JdkPool.serves(Runtime.version().feature(), options, checksArenas);
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

    int count() {
      return kept.size() + others.get();
    }

    List<String> sorted() {
      return kept.stream().map(AgentReport::binary).sorted().toList();
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
  boolean addRewritten(String className) {
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
  void addSkipped(String className, Skip reason) {
    if (names(reason).add(className) && verbose) {
      Notices.print(binary(className) + ": not rewritten, " + reason.text);
    }
  }

  /** Notes the same for an unexpected cause, and prints the cause, verbose or not. */
  void addSkipped(String className, Skip reason, Throwable cause) {
    names(reason).add(className);
    Notices.print("could not rewrite " + binary(className) + ", which goes on as it is", cause);
  }

  private Names names(Skip reason) {
    return Objects.requireNonNull(skipped.get(reason));
  }

  @Override
  public String getVersion() {
    return version;
  }

  @Override
  public String getOptions() {
    return options.toString();
  }

  @Override
  public int getRewrittenClasses() {
    return rewritten.others.get() + rewrittenNames().size();
  }

  @Override
  public Map<String, Integer> getSkippedClasses() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    skipped.forEach((reason, names) -> counts.put(reason.text, names.count()));
    return counts;
  }

  @Override
  public List<String> rewrittenNames() {
    Set<String> refused = new HashSet<>(names(Skip.REFUSED).sorted());
    return rewritten.sorted().stream().filter(name -> !refused.contains(name)).toList();
  }

  @Override
  public Map<String, List<String>> skippedNames() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    skipped.forEach((reason, names) -> byReason.put(reason.text, names.sorted()));
    return byReason;
  }

  @Override
  public long getLimit() {
    return ofLimit("limit");
  }

  @Override
  public long getLimitInUse() {
    return ofLimit("inUse");
  }

  @Override
  public long getLimitHighest() {
    return ofLimit("highest");
  }

  @Override
  public long getLimitRefused() {
    return ofLimit("refused");
  }

  @Override
  public Map<String, Long> getLimitInUseByKind() {
    MemoryLimit known = limit;
    return known == null ? Map.of() : known.inUseByKind();
  }

  @Override
  public long changeLimit(String text) {
    return Agent.changeLimit(limit, text);
  }

  @Override
  public Map<String, Long> largestSites(int most) {
    MemoryLimit known = limit;
    return known == null ? Map.of() : known.largestSites(most);
  }

  @Override
  public Map<String, Long> openOwners(int most) {
    MemoryLimit known = limit;
    return known == null ? Map.of() : known.openOwners(most);
  }

  @Override
  public Map<String, Long> getSelf() {
    MemoryLimit known = limit;
    return known == null ? Map.of() : known.self();
  }

  @Override
  public long getResident() {
    return Resident.now().all();
  }

  @Override
  public long getProcessBound() {
    return processBound;
  }

  @Override
  public String getEvidence() {
    return evidence;
  }

  @Override
  public long getMemory() {
    try {
      return Agent.TotalMemory.read();
    } catch (LinkageError noModule) {
      return 0;
    }
  }

  @Override
  public void watch(long byteSize) {
    MemoryLimit known = limit;
    if (known != null) {
      known.watch(byteSize);
    }
  }

  @Override
  public Map<String, Long> watchedSites() {
    MemoryLimit known = limit;
    return known == null ? Map.of() : known.watchedSites();
  }

  private long ofLimit(String figure) {
    MemoryLimit known = limit;
    return known == null ? 0 : Objects.requireNonNull(known.figures().get(figure));
  }

  private static String binary(String className) {
    return className.replace('/', '.');
  }
}
