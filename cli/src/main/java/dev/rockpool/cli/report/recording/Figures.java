package dev.rockpool.cli.report.recording;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * All that was read: from one recording, or the sum of many.
 *
 * @param threads figures of closed confined arenas, by the kind of thread
 * @param sites figures of the same arenas, by the call site that opened them
 * @param holders the call sites that hold native memory
 * @param memories the memory of each process, by the run of its recorder
 * @param inlinings what the compilers of each JVM inlined, by the run of its recorder; empty where
 *     that was not recorded
 * @param cMemories the memory of each process's C code, by the run of its recorder, or by the file
 *     of another profiler; empty where that was not recorded
 * @param jvms names of the recorded JVMs
 * @param blocks number of histograms that were added up
 * @param recordedNanos time recorded, added over JVMs
 * @param processorNanos processor time of the JVMs meanwhile; 0 if not known
 * @param isPooled whether the agent pooled arenas in a JVM
 * @param isUnfollowed whether a JVM followed no confined arena, and so found leaks of ended threads
 *     only
 */
public record Figures(
    Map<ThreadKind, ArenaFigures> threads,
    Map<String, ArenaSite> sites,
    Holders holders,
    Map<Long, ProcessLooks> memories,
    Map<Long, Inlining> inlinings,
    Map<Object, CMemory> cMemories,
    Set<String> jvms,
    long blocks,
    long recordedNanos,
    long processorNanos,
    boolean isPooled,
    boolean isUnfollowed) {
  public enum ThreadKind {
    PLATFORM,
    VIRTUAL;

    /** Returns the name in events, tables and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static ThreadKind of(String text) {
      for (ThreadKind kind : values()) {
        if (kind.text().equals(text)) {
          return kind;
        }
      }
      throw new IllegalArgumentException(
          "threadKind must be platform or virtual: \"" + text + "\"");
    }
  }

  /**
   * Figures of arenas that were closed.
   *
   * @param empty arenas that never allocated
   * @param totals arenas, by the bytes that each was asked for
   * @param totalBytes bytes asked for, in the buckets of {@code totals}
   */
  public record ArenaFigures(long allocations, long empty, Histogram totals, Histogram totalBytes) {
    public ArenaFigures() {
      this(0, 0, new Histogram(), new Histogram());
    }

    ArenaFigures plus(ArenaFigures other) {
      return new ArenaFigures(
          Sums.plus(allocations, other.allocations),
          Sums.plus(empty, other.empty),
          totals.plus(other.totals),
          totalBytes.plus(other.totalBytes));
    }

    /** Returns the number of arenas: the sum of {@link #totals}, so that shares add up. */
    public long arenas() {
      return totals.total();
    }

    /** Returns the bytes asked for: the sum of {@link #totalBytes}. */
    public long bytes() {
      return totalBytes.total();
    }
  }

  /**
   * Figures of the arenas that one call site opened, and that were closed.
   *
   * @param largestTotal the most bytes that one arena was asked for
   * @param totals arenas, by the bytes that each was asked for
   */
  public record ArenaSite(
      String site, long arenas, long allocations, long bytes, long largestTotal, Histogram totals) {
    ArenaSite plus(ArenaSite other) {
      return new ArenaSite(
          site,
          Sums.plus(arenas, other.arenas),
          Sums.plus(allocations, other.allocations),
          Sums.plus(bytes, other.bytes),
          Math.max(largestTotal, other.largestTotal),
          totals.plus(other.totals));
    }
  }

  Figures() {
    this(
        Map.of(),
        Map.of(),
        new Holders(),
        Map.of(),
        Map.of(),
        Map.of(),
        Set.of(),
        0,
        0,
        0,
        false,
        false);
  }

  Figures plus(Figures other) {
    Map<ThreadKind, ArenaFigures> bothThreads = new EnumMap<>(ThreadKind.class);
    Holders bothHolders = new Holders();
    bothHolders.add(holders);
    bothHolders.add(other.holders);
    Set<String> bothJvms = new HashSet<>(jvms);
    bothJvms.addAll(other.jvms);
    return new Figures(
        merged(bothThreads, threads, other.threads, ArenaFigures::plus),
        merged(new HashMap<>(), sites, other.sites, ArenaSite::plus),
        bothHolders,
        merged(new HashMap<>(), memories, other.memories, ProcessLooks::plus),
        merged(new HashMap<>(), inlinings, other.inlinings, Inlining::plus),
        merged(new HashMap<>(), cMemories, other.cMemories, CMemory::or),
        bothJvms,
        blocks + other.blocks,
        Sums.plus(recordedNanos, other.recordedNanos),
        Sums.plus(processorNanos, other.processorNanos),
        isPooled || other.isPooled,
        isUnfollowed || other.isUnfollowed);
  }

  private static <K, V> Map<K, V> merged(
      Map<K, V> sum, Map<K, V> one, Map<K, V> other, BinaryOperator<V> plus) {
    sum.putAll(one);
    other.forEach((key, more) -> sum.merge(key, more, plus));
    return sum;
  }

  public List<Inlining.Call> callsNotInlined() {
    return inlinings.values().stream().flatMap(Inlining::calls).toList();
  }

  public CMemory cMemory() {
    return cMemories.values().stream().reduce(new CMemory(), CMemory::plus);
  }

  public ArenaFigures all() {
    return threads.values().stream().reduce(new ArenaFigures(), ArenaFigures::plus);
  }

  /** Returns the figures of the arenas confined to threads of this kind. */
  public ArenaFigures of(ThreadKind kind) {
    return threads.getOrDefault(kind, new ArenaFigures());
  }
}
