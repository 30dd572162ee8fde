package dev.rockpool.cli.scan;

import dev.rockpool.scan.Condition;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan.Artifact;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Numbers of sites, by what they do. All but those by {@link ArenaKind} and {@link Pooling} are
 * about confined arenas.
 *
 * @param counts by constants of several kinds; one site may escape in several ways
 * @param escaping sites that return, store or capture the arena
 * @param nested sites at which another arena may be open
 * @param inLoop sites in a loop
 */
record Tally(Map<Enum<?>, Integer> counts, int escaping, int nested, int inLoop) {
  static Tally of(List<Artifact> artifacts) {
    Map<Enum<?>, Integer> counts = new HashMap<>();
    List<Finding> confined = new ArrayList<>();
    for (Artifact artifact : artifacts) {
      for (Finding site : artifact.findings()) {
        counts.merge(site.kind(), 1, Integer::sum);
        counts.merge(Pooling.of(artifact, site), 1, Integer::sum);
        if (site.kind() == ArenaKind.CONFINED) {
          confined.add(site);
          counts.merge(site.closing(), 1, Integer::sum);
          counts.merge(SizeClass.of(site.bytes()), 1, Integer::sum);
          site.escapes().forEach(escape -> counts.merge(escape, 1, Integer::sum));
        }
      }
    }
    return new Tally(
        counts,
        count(confined, Condition.ESCAPE::isMetBy),
        count(confined, Finding::nested),
        count(confined, Finding::inLoop));
  }

  private static int count(List<Finding> sites, Predicate<Finding> what) {
    return (int) sites.stream().filter(what).count();
  }

  int of(Enum<?> key) {
    return counts.getOrDefault(key, 0);
  }

  /** The numbers by all constants of a kind. */
  <E extends Enum<E>> Map<E, Integer> by(Class<E> kind) {
    Map<E, Integer> numbers = new EnumMap<>(kind);
    EnumSet.allOf(kind).forEach(key -> numbers.put(key, of(key)));
    return numbers;
  }

  /** Sites of all kinds. */
  int all() {
    return by(ArenaKind.class).values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Pooled, wholly or as far as they fit. */
  int pooled() {
    return of(Pooling.POOLED) + of(Pooling.AS_FAR_AS_IT_FITS);
  }

  /** Steps of how much an arena is asked for. */
  enum SizeClass {
    NOTHING("0", 0),
    UP_TO_8("1..8", 8),
    UP_TO_32("9..32", 32),
    UP_TO_64("33..64", 64),
    UP_TO_512("65..512", 512),
    MORE("more", Long.MAX_VALUE),
    UNKNOWN("unknown", -1);

    /** The bytes, for tables. */
    final String label;

    private final long most;

    SizeClass(String label, long most) {
      this.label = label;
      this.most = most;
    }

    static SizeClass of(OptionalLong bytes) {
      if (bytes.isPresent()) {
        for (SizeClass size : values()) {
          if (bytes.getAsLong() <= size.most) {
            return size;
          }
        }
      }
      return UNKNOWN;
    }
  }
}
