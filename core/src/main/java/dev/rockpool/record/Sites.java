package dev.rockpool.record;

import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the classes that open arenas. After {@value #MOST} classes, all others share a number.
 */
final class Sites {
  /** Number of classes that have a number to themselves. */
  static final int MOST = 4000;

  /** The number of all other classes. */
  static final int OTHERS = MOST;

  private static final String NAME_OF_OTHERS = "(others)";

  /** The sites of this JVM. */
  private static final Sites SHARED = new Sites();

  /** Guarded by this; so is {@link #names}. */
  private final Map<String, Integer> byName = new HashMap<>();

  private final String[] names = new String[MOST];

  Sites() {}

  /** Returns the number of a class of this JVM, by its binary name; equal for equal names. */
  static int of(String name) {
    return SHARED.number(name);
  }

  /** Returns the class name of a number. */
  static String nameOf(int site) {
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
