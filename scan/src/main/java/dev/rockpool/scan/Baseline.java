package dev.rockpool.scan;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Places that are known to meet conditions, and are no failures. A place is known by class, method,
 * kind of arena and ordinal among its like, so lines may move. It never changes, so any thread may
 * use it.
 *
 * @since 0.1.0
 */
public final class Baseline {
  /** A baseline that knows nothing. */
  public static final Baseline EMPTY = new Baseline(Set.of());

  private static final String HEADER =
      "# Rockpool scan baseline: condition, class, method, kind, ordinal\n";
  private static final int COLUMNS = 5;

  private final TreeSet<String> lines;

  private Baseline(Collection<String> lines) {
    this.lines = new TreeSet<>(lines);
  }

  /**
   * Makes a baseline of all places that meet any condition.
   *
   * @param scan all places
   * @return the baseline
   */
  public static Baseline of(Scan scan) {
    return new Baseline(
        new Verdict(scan, Set.of(), EMPTY)
            .sites().stream()
                .flatMap(site -> site.conditions().stream().map(condition -> line(condition, site)))
                .toList());
  }

  /**
   * Reads what {@link #text} made.
   *
   * @param text the lines
   * @return the baseline
   * @throws IllegalArgumentException if a line is none of a baseline; the message names it
   */
  public static Baseline parse(String text) {
    Collection<String> lines =
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      if (columns.length != COLUMNS) {
        throw new IllegalArgumentException(
            "A line of a baseline must have %d words with tabs in between: it is \"%s\""
                .formatted(COLUMNS, line));
      }
      Condition.of(columns[0]);
    }
    return new Baseline(lines);
  }

  /**
   * {@return the baseline as text, a line for each condition that a place meets, in alphabetical
   * order}
   */
  public String text() {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining("", HEADER, ""));
  }

  /**
   * Looks up a place.
   *
   * @param condition a condition that it meets
   * @param site the place
   * @return whether that is known
   */
  public boolean knows(Condition condition, Verdict.Site site) {
    return lines.contains(line(condition, site));
  }

  private static String line(Condition condition, Verdict.Site site) {
    return condition.label() + "\t" + site.key();
  }
}
