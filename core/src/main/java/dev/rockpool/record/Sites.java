package dev.rockpool.record;

import java.util.HashMap;
import java.util.Map;

/** The classes that open arenas, each with a number; those that come late share one. */
public final class Sites {
  /** How many classes have a number of their own. */
  public static final int MOST = 4000;

  /** The number of all classes beyond. */
  public static final int OTHERS = MOST;

  private static final String NAME_OF_OTHERS = "(others)";

  /** Those of this JVM. */
  private static final Sites SHARED = new Sites();

  /** Guarded by this, as is the array. */
  private final Map<String, Integer> byName = new HashMap<>();

  private final String[] names = new String[MOST];

  Sites() {}

  /** The number of a class of this JVM, by its binary name; the same for the same name. */
  public static int of(String name) {
    return SHARED.number(name);
  }

  /** The name that belongs to a number. */
  public static String nameOf(int site) {
    return SHARED.name(site);
  }

  synchronized int number(String name) {
    Integer known = byName.get(name);
    if (known != null) {
      return known;
    }
    int next = byName.size();
    if (next == MOST) {
      return OTHERS;
    }
    names[next] = name;
    byName.put(name, next);
    return next;
  }

  synchronized String name(int site) {
    return site == OTHERS ? NAME_OF_OTHERS : names[site];
  }
}
