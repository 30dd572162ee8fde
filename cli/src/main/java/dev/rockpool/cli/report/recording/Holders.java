package dev.rockpool.cli.report.recording;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The call sites that hold native memory. Events have sums since the start of their JVM, therefore
 * the last event of a JVM and a site counts.
 *
 * <p>A JVM also has totals of its buffers, see {@link #NO_SITE}. No site can have had more.
 */
public final class Holders {
  /** Stands for the buffers of a JVM that no site holds, such as the JDK's own. */
  public static final String NO_SITE = "(no site)";

  /** The last line of a stack that has further frames. */
  public static final String CUT = "...";

  /**
   * The figures of a site, and how they are added up. Their names are those of the fields of
   * events: LIVE_BYTES is liveBytes.
   */
  public enum Field {
    AGE(false, true),
    OPENED,
    CLOSED,
    ALLOCATIONS,
    BYTES,
    LIVE,
    LIVE_BYTES,
    MOST_LIVE(true, false),
    MOST_LIVE_BYTES(true, false),
    OUT_OF_MEMORY,
    LIVE_AT_PEAK,
    LIVE_BYTES_AT_PEAK,
    LEAKED,
    LEAKED_BYTES,
    UNCLOSED_BY_ENDED,
    LARGEST(false, false),
    ON_VIRTUAL,
    BY_OTHERS,
    CLOSE_TIME,
    LONGEST_CLOSE(false, false),
    LIFE_MEDIAN(false, false),
    LONGEST_LIFE(false, false),
    OLDEST(false, false),
    GROWING(false, false),
    FULL_COLLECTIONS(false, false),
    KEPT_BY_FULL,
    BYTES_KEPT_BY_FULL;

    private final String key =
        Pattern.compile("_(.)")
            .matcher(name().toLowerCase(Locale.ROOT))
            .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));

    private final boolean sumsInJvm;
    private final boolean sums;

    Field() {
      this(true, true);
    }

    Field(boolean sumsInJvm, boolean sums) {
      this.sumsInJvm = sumsInJvm;
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

  /** Begins the kinds of objects that own C memory. */
  private static final String OWNER = "owner";

  private static final Set<String> BY_ADDRESS = Set.of("unsafe", "malloc", "temporary");

  /** Fewer bytes are not worth a line or a sentence of their own. */
  public static final long LITTLE = 64 << 10;

  /** Buffers without a site that are less than this part of all live bytes have no line either. */
  private static final long LITTLE_PART = 100;

  /** The recorder writes at most 64 frames. */
  private static final int MOST_FRAMES = 1000;

  private static final Set<Field> OF_STACK =
      EnumSet.of(Field.OPENED, Field.LIVE, Field.LIVE_BYTES, Field.LEAKED);

  /** A sample of what a site opened with one stack, the innermost frame in the first line. */
  public record Stack(String text, Map<Field, Long> figures) {
    public long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }

    /** Whether there are further frames, which were not recorded. */
    public boolean isCut() {
      return text.endsWith("\n" + CUT);
    }
  }

  /** The sum of one site over all JVMs. */
  public record Holder(
      String kind, String site, Map<Field, Long> figures, Map<String, Stack> byText) {
    public static Holder of(String kind, String site) {
      return new Holder(kind, site, new EnumMap<>(Field.class), new TreeMap<>());
    }

    public long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }

    public String name() {
      return kind + " " + site;
    }

    public boolean isSite() {
      return !site.equals(NO_SITE);
    }

    /**
     * Returns how many arenas leaked, or at least so many: those found unreachable, which may be a
     * sample, or those that were open when their thread ended, which is exact. Objects that the
     * collector frees, or that only look like owners of C memory, do not count here.
     */
    public long leaks() {
      if (isOwner() && !kind.equals(OWNER)) {
        return 0;
      }
      return Math.max(get(Field.LEAKED), get(Field.UNCLOSED_BY_ENDED));
    }

    /** Whether objects that own C memory are counted, of which no bytes are known. */
    public boolean isOwner() {
      return kind.startsWith(OWNER);
    }

    /** Returns the most live bytes: a bound for some kinds of memory. */
    public long mostBytes() {
      return Math.max(get(Field.MOST_LIVE_BYTES), get(Field.LIVE_BYTES));
    }

    /** Returns the live bytes when the resident set was highest, or now if that was not seen. */
    public long bytesAtPeak() {
      return get(Field.LIVE_BYTES_AT_PEAK) == 0
          ? get(Field.LIVE_BYTES)
          : get(Field.LIVE_BYTES_AT_PEAK);
    }

    /** Whether memory counts as live until a garbage collection has found it to be unused. */
    public boolean isCollected() {
      return COLLECTED.contains(kind);
    }

    /** Whether the program takes and frees memory by address, and no collection frees it. */
    public boolean isByAddress() {
      return BY_ADDRESS.contains(kind);
    }

    public List<Stack> stacks() {
      return byText.values().stream()
          .sorted(
              Comparator.<Stack>comparingLong(stack -> -stack.get(Field.LEAKED))
                  .thenComparingLong(stack -> -stack.get(Field.LIVE_BYTES)))
          .toList();
    }

    private Map<Field, Long> figuresOf(@Nullable String stack) {
      return stack == null
          ? figures
          : byText.computeIfAbsent(stack, text -> new Stack(text, new EnumMap<>(Field.class)))
              .figures;
    }
  }

  /**
   * One series of events.
   *
   * @param stack null for the events of the site itself
   */
  private record Series(long run, String kind, String site, @Nullable String stack) {
    Series named(UnaryOperator<String> naming) {
      return new Series(run, kind, naming.apply(site), stack);
    }

    /** The totals that have this memory: automatic arenas are in those of direct buffers. */
    Series pool() {
      return new Series(run, kind.equals("automatic") ? "direct" : kind, NO_SITE, null);
    }

    boolean isOfSite() {
      return stack == null && !site.equals(NO_SITE);
    }
  }

  private record Last(Instant time, Map<Field, Long> figures) {
    long get(Field field) {
      return figures.getOrDefault(field, 0L);
    }

    Last or(Last other) {
      return other.time.isAfter(time) ? other : this;
    }
  }

  private static final Comparator<Holder> MOST_FIRST =
      Comparator.<Holder>comparingLong(holder -> -holder.get(Field.LIVE_BYTES))
          .thenComparingLong(holder -> -holder.get(Field.MOST_LIVE_BYTES))
          .thenComparing(Holder::kind)
          .thenComparing(Holder::site);

  private final Map<Series, Last> lasts = new HashMap<>();

  void addSite(RecordedEvent event) {
    Map<Field, Long> figures = figures(event, EnumSet.allOf(Field.class));
    // Confined arenas are looked for once a second, so the largest one may have been missed.
    figures.merge(Field.MOST_LIVE_BYTES, Reading.number(event, "largest"), Math::max);
    figures.merge(Field.MOST_LIVE_BYTES, Reading.number(event, "liveBytes"), Math::max);
    add(event, Reading.text(event, "kind"), Reading.text(event, "site"), null, figures);
  }

  void addStack(RecordedEvent event) {
    String stack = Reading.lines(event, "stack");
    if (stack.lines().limit(MOST_FRAMES + 1).count() > MOST_FRAMES) {
      throw new IllegalArgumentException("a stack must have at most " + MOST_FRAMES + " frames");
    }
    if (event.hasField("cut") && event.getBoolean("cut")) {
      stack += "\n" + CUT;
    }
    Map<Field, Long> figures = figures(event, OF_STACK);
    add(event, Reading.text(event, "kind"), Reading.text(event, "site"), stack, figures);
  }

  void addPool(RecordedEvent event) {
    Map<Field, Long> figures = new EnumMap<>(Field.class);
    // Unlike the bytes that are used, which are rounded up, and 1 for an empty buffer.
    figures.put(Field.LIVE_BYTES, Reading.number(event, "capacity"));
    figures.put(Field.MOST_LIVE_BYTES, Reading.number(event, "mostUsed"));
    add(event, Reading.text(event, "pool"), NO_SITE, null, figures);
  }

  private static Map<Field, Long> figures(RecordedEvent event, Set<Field> fields) {
    Map<Field, Long> figures = new EnumMap<>(Field.class);
    fields.forEach(field -> figures.put(field, Reading.number(event, field.key)));
    return figures;
  }

  private void add(
      RecordedEvent event,
      String kind,
      String site,
      @Nullable String stack,
      Map<Field, Long> figures) {
    lasts.merge(
        new Series(event.getLong("run"), kind, site, stack),
        new Last(event.getStartTime(), figures),
        Last::or);
  }

  /** Refuses sums that no JVM can come to. */
  void check() {
    List<Holder> all = all();
    for (Field field : Field.values()) {
      if (field.sumsInJvm) {
        Sums.checked(all.stream().mapToLong(holder -> holder.get(field)).reduce(0, Sums::plus));
      }
    }
  }

  void add(Holders other) {
    other.lasts.forEach((series, last) -> lasts.merge(series, last, Last::or));
  }

  /** The numbers of JVMs that had events. */
  Set<Long> runs() {
    return lasts.keySet().stream().map(Series::run).collect(Collectors.toSet());
  }

  /** All sites, those with the most live bytes first. */
  public List<Holder> all() {
    return all(site -> site);
  }

  /** Sites that get the same name by {@code naming} are one. */
  public List<Holder> all(UnaryOperator<String> naming) {
    Map<Series, Map<Field, Long>> inJvms = new HashMap<>();
    lasts.forEach(
        (series, last) ->
            merge(
                inJvms.computeIfAbsent(
                    series.named(naming), _ -> new EnumMap<Field, Long>(Field.class)),
                bounded(series, last.figures),
                field -> field.sumsInJvm));
    lasts.forEach(
        (series, last) -> {
          Map<Field, Long> rest = inJvms.get(series.pool());
          if (rest != null && series.isOfSite()) {
            bounded(series, last.figures)
                .forEach(
                    (field, held) ->
                        rest.computeIfPresent(field, (_, all) -> Math.max(0, all - held)));
          }
        });
    Map<String, Holder> holders = new HashMap<>();
    inJvms.forEach(
        (series, figures) ->
            merge(
                holders
                    .computeIfAbsent(
                        series.kind + " " + series.site, _ -> Holder.of(series.kind, series.site))
                    .figuresOf(series.stack),
                figures,
                Field::sums));
    long live = holders.values().stream().mapToLong(each -> each.get(Field.LIVE_BYTES)).sum();
    long little = Math.max(LITTLE, live / LITTLE_PART);
    return holders.values().stream()
        .filter(
            holder ->
                (holder.isSite() && !holder.kind().equals("temporary"))
                    ? holder.get(Field.OPENED) > 0 || holder.mostBytes() > 0
                    : holder.mostBytes() >= little)
        .sorted(MOST_FIRST)
        .toList();
  }

  private static void merge(
      Map<Field, Long> sums, Map<Field, Long> more, Predicate<Field> isSummed) {
    more.forEach(
        (field, value) -> sums.merge(field, value, isSummed.test(field) ? Sums::plus : Math::max));
  }

  /** Returns figures of which none is more than its JVM had in all. */
  private Map<Field, Long> bounded(Series series, Map<Field, Long> figures) {
    Last pool = lasts.get(series.pool());
    if (pool == null || !series.isOfSite()) {
      return figures;
    }
    Map<Field, Long> bounded = new EnumMap<>(figures);
    long most = Math.max(pool.get(Field.MOST_LIVE_BYTES), figures.getOrDefault(Field.LARGEST, 0L));
    bounded.merge(Field.MOST_LIVE_BYTES, most, Math::min);
    return bounded;
  }
}
