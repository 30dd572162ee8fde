package dev.rockpool.record;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the call sites that open arenas, or make direct buffers, or map files. After {@value
 * #MOST} sites, all others of a kind share a number.
 */
final class Sites {
  /** Number of sites that have a number to themselves. */
  static final int MOST = 4000;

  /** The number of all other sites of confined arenas; those of other kinds follow. */
  static final int OTHERS = 0;

  /** Most characters of a name; of a longer one the end is kept. */
  static final int LONGEST_NAME = 250;

  private static final String NAME_OF_OTHERS = "(others)";
  private static final int FIRST = SiteKind.COUNT;

  static final Sites SHARED = new Sites();

  /** Guarded by this; so are {@link #sites} and {@link #size}. */
  private final Map<String, Integer> byName = new HashMap<>();

  private final @Nullable Site[] sites = new Site[FIRST + MOST];
  private int size;

  Sites() {
    for (int kind = 0; kind < FIRST; kind++) {
      sites[kind] = new Site(NAME_OF_OTHERS, kind);
    }
    size = FIRST;
  }

  /** Returns {@code name}, or the end of one that is too long. */
  static String shortened(String name) {
    return name.length() <= LONGEST_NAME
        ? name
        : "..." + name.substring(name.length() - LONGEST_NAME + 3);
  }

  /** Returns the number of a site of this JVM, of a {@link SiteKind}; equal for equal arguments. */
  static int of(String name, int kind) {
    return SHARED.number(name, kind);
  }

  synchronized int number(String name, int kind) {
    String shown = shortened(name);
    String key = (char) ('0' + kind) + shown;
    Integer known = byName.get(key);
    if (known != null) {
      return known;
    }
    if (size == sites.length) {
      return OTHERS + kind;
    }
    Site added = new Site(shown, kind);
    byName.put(key, size); // may run out of heap: then no number is taken
    sites[size] = added;
    return size++;
  }

  synchronized Site get(int number) {
    Site site = sites[number];
    if (site == null) {
      throw new IllegalArgumentException("A number of a site must have been given out: " + number);
    }
    return site;
  }

  /** Returns the least number not given out. */
  synchronized int size() {
    return size;
  }
}
