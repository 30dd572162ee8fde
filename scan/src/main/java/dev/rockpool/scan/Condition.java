package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A condition that a build may not want to meet. All of them are about arenas that somebody must
 * close, confined and shared ones.
 *
 * @since 0.1.0
 */
public enum Condition {
  /** The method does not close the arena. */
  NEVER("the method does not close the arena; another may"),
  /** The method closes the arena, but not on all paths. */
  SOME("a path, often that of an exception, leaves the arena open"),
  /** The open arena leaves the method, and no code in sight closes it there. */
  ESCAPE("the open arena is returned, stored or captured"),
  /** The arena does not fit a block. */
  LARGE("the arena asks for more than 512 bytes, which the agent leaves to the JDK");

  private final String description;

  Condition(String description) {
    this.description = description;
  }

  /** {@return the name as on a command line, such as "never"} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the meaning, as a part of a sentence} */
  public String description() {
    return description;
  }

  /**
   * Tests a place.
   *
   * @param finding the place
   * @return whether it meets the condition
   */
  public boolean isMetBy(Finding finding) {
    if (!finding.kind().mustBeClosed()) {
      return false;
    }
    return switch (this) {
      case NEVER -> finding.closing() == Closing.NEVER;
      case SOME -> finding.closing() == Closing.SOME_PATHS;
      case ESCAPE ->
          finding.closing() != Closing.BY_HOLDER
              && finding.closing() != Closing.UNKNOWN
              && !Collections.disjoint(
                  finding.escapes(), Set.of(Escape.RETURNED, Escape.STORED, Escape.CAPTURED));
      case LARGE -> finding.bytes().orElse(0) > Pooling.LARGEST;
    };
  }

  /**
   * Finds a condition by its name.
   *
   * @param label a {@link #label}
   * @return the condition
   * @throws IllegalArgumentException if there is none; the message names all
   */
  public static Condition of(String label) {
    return Arrays.stream(values())
        .filter(condition -> condition.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "A condition must be one of " + all() + ": it is " + label));
  }

  private static String all() {
    return Arrays.stream(values()).map(Condition::label).collect(Collectors.joining(", "));
  }
}
