package dev.rockpool.cli.report.recording;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The call sites that hold native memory. Events have sums since the start of their JVM, therefore
 * the last event of a JVM and a site counts.
 */
public final class Holders {
  /** The figures of a site, by the names that events have, and how those of JVMs are added up. */
  public enum Field {
    AGE("age", false),
    OPENED("opened", true),
    CLOSED("closed", true),
    ALLOCATIONS("allocations", true),
    BYTES("bytes", true),
    LIVE("live", true),
    LIVE_BYTES("liveBytes", true),
    MOST_LIVE("mostLive", true),
    MOST_LIVE_BYTES("mostLiveBytes", true),
    LEAKED("leaked", true),
    LEAKED_BYTES("leakedBytes", true),
    UNCLOSED_BY_ENDED("unclosedByEnded", true),
    LARGEST("largest", false),
    ON_VIRTUAL("onVirtual", true),
    BY_OTHERS("byOthers", true),
    CLOSE_TIME("closeTime", true),
    LONGEST_CLOSE("longestClose", false),
    LIFE_MEDIAN("lifeMedian", false),
    LONGEST_LIFE("longestLife", false),
    OLDEST("oldest", false),
    GROWING("growing", false);

    private final String key;
    private final boolean sums;

    Field(String key, boolean sums) {
      this.key = key;
      this.sums = sums;
    }

    /** The name in events and in JSON. */
    public String key() {
      return key;
    }

    /** Whether the figure of several JVMs is the sum of theirs, not the most. */
    public boolean sums() {
      return sums;
    }
  }

  private static final Set<String> COLLECTED = Set.of("automatic", "direct", "mapped");

  /** The recorder writes at most 64 frames. */
  private static final int MOST_FRAMES = 1000;

  /** The figures of a stack. */
  private static final Set<Field> OF_STACK =
      EnumSet.of(Field.OPENED, Field.LIVE, Field.LIVE_BYTES, Field.LEAKED);

  /** A sample of what a site opened with one stack. */
  public record Stack(String text, Map<Field, Long> figures) {
    public long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }
  }

  /** The sum of one site over all JVMs. */
  public record Holder(
      String kind, String site, Map<Field, Long> figures, Map<String, Stack> byText) {
    public long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }

    /** Returns kind and site. */
    public String name() {
      return kind + " " + site;
    }

    /**
     * Returns how many arenas leaked, or at least so many: those found unreachable, which may be a
     * sample, or those that were open when their thread ended, which is exact.
     */
    public long leaks() {
      return Math.max(get(Field.LEAKED), get(Field.UNCLOSED_BY_ENDED));
    }

    /** Whether only a garbage collection frees this memory, and tells that it is unused. */
    public boolean isCollected() {
      return COLLECTED.contains(kind);
    }

    /** The stacks, those that leaked most first. */
    public List<Stack> stacks() {
      return byText.values().stream()
          .sorted(
              Comparator.<Stack>comparingLong(stack -> -stack.get(Field.LEAKED))
                  .thenComparingLong(stack -> -stack.get(Field.LIVE_BYTES)))
          .toList();
    }
  }

  /**
   * One series of events.
   *
   * @param stack null for the events of the site itself
   */
  private record Key(long run, String kind, String site, @Nullable String stack) {}

  private record Last(Instant time, Map<Field, Long> figures) {
    Last or(Last other) {
      return other.time.isAfter(time) ? other : this;
    }
  }

  private static final Comparator<Holder> MOST_FIRST =
      Comparator.<Holder>comparingLong(holder -> -holder.get(Field.LIVE_BYTES))
          .thenComparingLong(holder -> -holder.get(Field.MOST_LIVE_BYTES))
          .thenComparing(Holder::kind)
          .thenComparing(Holder::site);

  private final Map<Key, Last> lasts = new HashMap<>();

  void addSite(RecordedEvent event) {
    add(event, null, EnumSet.allOf(Field.class));
  }

  void addStack(RecordedEvent event) {
    String stack = Figures.text(event, "stack");
    if (stack.lines().limit(MOST_FRAMES + 1).count() > MOST_FRAMES) {
      throw new IllegalArgumentException("a stack must have at most " + MOST_FRAMES + " frames");
    }
    add(event, stack, OF_STACK);
  }

  private void add(RecordedEvent event, @Nullable String stack, Set<Field> fields) {
    Map<Field, Long> figures = new EnumMap<>(Field.class);
    fields.forEach(field -> figures.put(field, Figures.count(event, field.key)));
    lasts.merge(
        new Key(
            event.getLong("run"), Figures.text(event, "kind"), Figures.text(event, "site"), stack),
        new Last(event.getStartTime(), figures),
        Last::or);
  }

  /** Refuses sums that no JVM can come to. */
  void check() {
    all().forEach(holder -> holder.figures.values().forEach(Histogram::checked));
  }

  void add(Holders other) {
    other.lasts.forEach((key, last) -> lasts.merge(key, last, Last::or));
  }

  /** The numbers of JVMs that had events. */
  Set<Long> runs() {
    return lasts.keySet().stream().map(Key::run).collect(Collectors.toSet());
  }

  /** All sites, those with the most live bytes first. */
  public List<Holder> all() {
    Map<String, Holder> holders = new HashMap<>();
    lasts.forEach(
        (key, last) -> {
          Holder holder =
              holders.computeIfAbsent(
                  key.kind + " " + key.site,
                  _ -> new Holder(key.kind, key.site, new EnumMap<>(Field.class), new TreeMap<>()));
          Map<Field, Long> sums =
              key.stack == null
                  ? holder.figures
                  : holder.byText.computeIfAbsent(
                          key.stack, text -> new Stack(text, new EnumMap<>(Field.class)))
                      .figures;
          last.figures.forEach(
              (field, value) -> sums.merge(field, value, field.sums ? Math::addExact : Math::max));
        });
    return holders.values().stream()
        .filter(holder -> !holder.figures.isEmpty())
        .sorted(MOST_FIRST)
        .toList();
  }
}
