package dev.rockpool.cli.report.recording;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;

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
    LARGEST("largest", false),
    ON_VIRTUAL("onVirtual", true),
    BY_OTHERS("byOthers", true),
    CLOSE_TIME("closeTime", true),
    LONGEST_CLOSE("longestClose", false),
    MEAN_LIFE("meanLife", false),
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

    /** Whether the figure of several JVMs is the sum of theirs, and not the most. */
    public boolean sums() {
      return sums;
    }
  }

  /** A sample of what a site opened with one stack. */
  public record Stack(String text, long opened, long live, long liveBytes, long leaked) {
    private Stack plus(Stack other) {
      return new Stack(
          text,
          opened + other.opened,
          live + other.live,
          liveBytes + other.liveBytes,
          leaked + other.leaked);
    }
  }

  /** The sum of one site over all JVMs. */
  public record Holder(String kind, String site, Map<Field, Long> figures, List<Stack> stacks) {
    public long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }
  }

  private record Key(long run, String kind, String site, String stack) {}

  private record Last<T>(Instant time, T value) {
    Last<T> or(Last<T> other) {
      return other.time.isAfter(time) ? other : this;
    }
  }

  private static final Comparator<Holder> MOST_FIRST =
      Comparator.<Holder>comparingLong(holder -> -holder.get(Field.LIVE_BYTES))
          .thenComparingLong(holder -> -holder.get(Field.MOST_LIVE_BYTES))
          .thenComparing(Holder::kind)
          .thenComparing(Holder::site);

  private final Map<Key, Last<Map<Field, Long>>> sites = new HashMap<>();
  private final Map<Key, Last<Stack>> stacks = new HashMap<>();

  void addSite(RecordedEvent event) {
    Map<Field, Long> figures = new EnumMap<>(Field.class);
    for (Field field : Field.values()) {
      figures.put(field, RecordingReader.count(event, field.key()));
    }
    sites.merge(key(event, ""), new Last<>(event.getStartTime(), figures), Last::or);
  }

  void addStack(RecordedEvent event) {
    String text = RecordingReader.text(event, "stack");
    Stack stack =
        new Stack(
            text,
            RecordingReader.count(event, "opened"),
            RecordingReader.count(event, "live"),
            RecordingReader.count(event, "liveBytes"),
            RecordingReader.count(event, "leaked"));
    stacks.merge(key(event, text), new Last<>(event.getStartTime(), stack), Last::or);
  }

  private static Key key(RecordedEvent event, String stack) {
    return new Key(
        event.getLong("run"),
        RecordingReader.text(event, "kind"),
        RecordingReader.text(event, "site"),
        stack);
  }

  void add(Holders other) {
    other.sites.forEach((key, last) -> sites.merge(key, last, Last::or));
    other.stacks.forEach((key, last) -> stacks.merge(key, last, Last::or));
  }

  /** The numbers of JVMs that had events of sites. */
  Set<Long> runs() {
    return sites.keySet().stream().map(Key::run).collect(Collectors.toSet());
  }

  /** All sites, those with the most live bytes first. */
  public List<Holder> all() {
    Map<String, Holder> sums = new HashMap<>();
    sites.forEach(
        (key, last) -> {
          Holder sum =
              sums.computeIfAbsent(
                  key.kind() + " " + key.site(),
                  name ->
                      new Holder(
                          key.kind(), key.site(), new EnumMap<>(Field.class), new ArrayList<>()));
          last.value()
              .forEach(
                  (field, value) ->
                      sum.figures().merge(field, value, field.sums ? Math::addExact : Math::max));
        });
    sums.values().forEach(sum -> sum.stacks().addAll(stacks(sum)));
    return sums.values().stream().sorted(MOST_FIRST).toList();
  }

  private Collection<Stack> stacks(Holder holder) {
    Map<String, Stack> sums = new TreeMap<>();
    stacks.forEach(
        (key, last) -> {
          if (key.kind().equals(holder.kind()) && key.site().equals(holder.site())) {
            sums.merge(key.stack(), last.value(), Stack::plus);
          }
        });
    return sums.values().stream()
        .sorted(
            Comparator.<Stack>comparingLong(stack -> -stack.leaked())
                .thenComparingLong(stack -> -stack.liveBytes()))
        .toList();
  }
}
