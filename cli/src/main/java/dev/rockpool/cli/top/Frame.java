package dev.rockpool.cli.top;

import static dev.rockpool.cli.attach.Beans.number;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.top.Source.Site;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one moment, as text.
 *
 * @param pool the shared pool; null if it was not used yet
 * @param directMemory attributes of the MBeans of direct memory
 * @param sites call sites that open arenas; null if they are not recorded
 */
record Frame(
    @Nullable Pool pool, List<Map<String, Object>> directMemory, @Nullable List<Site> sites) {

  /** The orders of sites; a key of the first letter chooses one. */
  enum Sort {
    ARENAS,
    BYTES,
    POOL,
    NAME;

    private Comparator<Site> order() {
      Comparator<Site> order =
          switch (this) {
            case ARENAS -> Comparator.comparingDouble(Site::arenas).reversed();
            case BYTES -> Comparator.comparingDouble(Site::bytes).reversed();
            case POOL -> Comparator.comparingDouble(Site::fromPool);
            case NAME -> Comparator.comparing(Site::name);
          };
      return order.thenComparing(Site::name);
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
   * @param before the attributes at the last frame
   * @param seconds the time between
   */
  record Pool(Map<String, Object> now, Map<String, Object> before, double seconds) {
    String text() {
      double closed = grown("arenasClosed");
      String shares =
          closed == 0
              ? ""
              : String.format(
                  Locale.ROOT,
                  ", %.1f %% served, %.1f %% too large, %.1f %% no slab left," + " %.1f %% first",
                  100 * grown("servedFromSlab") / closed,
                  100 * grown("tooLarge") / closed,
                  100 * grown("noneLeft") / closed,
                  100 * grown("firstOfThread") / closed);
      return String.format(
          Locale.ROOT,
          "pool %s: %,.0f arenas/s%s; bytes held: %,d; threads: %,d\n",
          now.get("state"),
          closed / seconds,
          shares,
          number(now, "bytesHeld"),
          number(now, "threads"));
    }

    private double grown(String name) {
      return number(now, name) - number(before, name);
    }
  }

  /** The text, with as many sites as there are. */
  String text(Sort sort) {
    StringBuilder text = new StringBuilder(pool == null ? "pool: not used yet\n" : pool.text());
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
      return text.append("No sites: the agent does not record (option record).\n").toString();
    }
    Table table = Table.of("site", "arenas/s", "bytes/s", "from pool");
    sites.stream()
        .sorted(sort.order())
        .forEach(
            site ->
                table.row(
                    site.name(),
                    String.format(Locale.ROOT, "%,.0f", site.arenas()),
                    String.format(Locale.ROOT, "%,.0f", site.bytes()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * site.fromPool())));
    return text.append(table.text()).toString();
  }
}
