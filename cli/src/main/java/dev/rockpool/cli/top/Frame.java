package dev.rockpool.cli.top;

import static dev.rockpool.cli.attach.Beans.number;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.top.LiveFigures.LiveSite;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one moment, as text.
 *
 * @param pool the shared pool; null if it was not used yet
 * @param limit what the agent counts, and its limit, as text; empty if it does not count
 * @param directMemory attributes of the MBeans of direct memory
 * @param sites call sites that hold native memory; null if they are not recorded
 */
record Frame(
    @Nullable Pool pool,
    String limit,
    List<Map<String, Object>> directMemory,
    @Nullable List<LiveSite> sites) {

  /** The orders of sites; a key of the first letter chooses one. */
  @SuppressWarnings("ImmutableEnumChecker") // comparators have no state
  enum Sort {
    LIVE(Comparator.comparingLong(LiveSite::liveBytes).reversed()),
    RATE(Comparator.comparingDouble(LiveSite::opened).reversed()),
    BYTES(Comparator.comparingDouble(LiveSite::bytes).reversed()),
    NAME(Comparator.comparing(LiveSite::name));

    private final Comparator<LiveSite> order;

    Sort(Comparator<LiveSite> order) {
      this.order = order.thenComparing(LiveSite::name);
    }

    /** Returns the order of a key, or this one if the key has none. */
    Sort after(int key) {
      for (Sort each : values()) {
        if (each.name().charAt(0) == Character.toUpperCase(key)) {
          return each;
        }
      }
      return this;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The pool's counts.
   *
   * @param now attributes of its MBean
   * @param before the attributes at the last frame; null if the pool was not used then
   * @param seconds the time between
   */
  record Pool(Map<String, Object> now, @Nullable Map<String, Object> before, double seconds) {
    String text() {
      return String.format(
          Locale.ROOT,
          "pool %s: %s arenas/s%s%s; bytes kept: %,d; threads: %,d\n",
          now.get("state"),
          before == null ? "-" : perSecond(grown("arenasClosed") / seconds),
          newBlocks(),
          allocationsByJdk(),
          number(now, "bytesKept"),
          number(now, "threads"));
    }

    /** Mostly nothing, as lines are short; the next one, too. */
    private String newBlocks() {
      double closed = grown("arenasClosed");
      double allocated = grown("blocksAllocated");
      return closed == 0 || allocated == 0
          ? ""
          : String.format(Locale.ROOT, ", %.1f %% with a new block", 100 * allocated / closed);
    }

    private String allocationsByJdk() {
      double grown = grown("allocationsByJdk");
      return grown == 0 ? "" : ", " + perSecond(grown / seconds) + " allocations/s by the JDK";
    }

    private double grown(String name) {
      return before == null ? 0 : number(now, name) - number(before, name);
    }
  }

  /** The least room for a name, if a terminal is narrow. */
  private static final int LEAST_NAME = 20;

  /** The text, with as many sites as there are, and names cut so that lines fit. */
  String text(Sort sort, int columns) {
    StringBuilder text = new StringBuilder(pool == null ? "pool: not in use\n" : pool.text());
    text.append(limit);
    for (Map<String, Object> each : directMemory) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s: %,d buffers, %,d bytes\n",
              each.get("name"),
              number(each, "count"),
              number(each, "memoryUsed")));
    }
    text.append('\n');
    if (sites == null) {
      return text.append(
              "No sites: the agent does not record (option record), or count (option count).\n")
          .toString();
    }
    if (sites.isEmpty()) {
      return text.append("No sites so far: their figures come once in each interval.\n").toString();
    }
    int longest = sites.stream().mapToInt(site -> site.name().length()).max().orElse(0);
    String whole = table(sites, sort, longest);
    int excess = whole.indexOf('\n') - columns;
    return text.append(
            excess <= 0 ? whole : table(sites, sort, Math.max(LEAST_NAME, longest - excess)))
        .toString();
  }

  private static String table(List<LiveSite> sites, Sort sort, int room) {
    return Table.each(sites.stream().sorted(sort.order).toList())
        .column("site", site -> cut(site.name(), room))
        .column("live bytes", site -> bytes((double) site.liveBytes()))
        .column("live", site -> site.live() < 0 ? "-" : site.live())
        .column("opened/s", site -> site.opened() < 0 ? "-" : perSecond(site.opened()))
        .column("bytes/s", site -> site.bytes() < 0 ? "-" : bytes(site.bytes()))
        .numbers("")
        .text();
  }

  private static String perSecond(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  /** Leaves out the begin of the class, because kind, method and line tell sites apart. */
  private static String cut(String name, int room) {
    String kind = name.substring(0, name.indexOf(' ') + 1);
    int rest = room - kind.length() - 2;
    return name.length() <= room ? name : kind + ".." + name.substring(name.length() - rest);
  }

  /** 512, 1.5 Ki, 12.0 Mi. */
  private static String bytes(double bytes) {
    String units = " KMGTPE";
    int unit = 0;
    double value = bytes;
    while (value >= 1000 && unit < units.length() - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0
        ? perSecond(value)
        : String.format(Locale.ROOT, "%.1f %si", value, units.charAt(unit));
  }
}
