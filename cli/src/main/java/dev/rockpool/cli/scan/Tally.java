package dev.rockpool.cli.scan;

import dev.rockpool.scan.Condition;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan.Artifact;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Numbers of sites, by what they do. The names are those in JSON.
 *
 * @param sites of all kinds
 * @param pooling of all kinds
 * @param confined more about those of confined arenas
 */
record Tally(Map<ArenaKind, Integer> sites, Map<Pooling, Integer> pooling, Confined confined) {
  /**
   * Numbers of sites of confined arenas; one site may escape in several ways.
   *
   * @param escaping sites that return, store or capture the arena, which nobody in sight closes
   * @param nested sites at which another arena may be open
   * @param inLoop sites in a loop
   */
  record Confined(
      Map<Closing, Integer> closing,
      Map<Escape, Integer> escapes,
      int escaping,
      int nested,
      int inLoop,
      Map<SizeClass, Integer> bytes) {}

  static Tally of(List<Artifact> artifacts) {
    List<Pooling> pooling = new ArrayList<>();
    List<Finding> sites = new ArrayList<>();
    for (Artifact artifact : artifacts) {
      sites.addAll(artifact.findings());
      artifact.findings().forEach(site -> pooling.add(Pooling.of(artifact, site)));
    }
    List<Finding> confined =
        sites.stream().filter(site -> site.kind() == ArenaKind.CONFINED).toList();
    return new Tally(
        count(ArenaKind.class, sites.stream().map(Finding::kind)),
        count(Pooling.class, pooling.stream()),
        new Confined(
            count(Closing.class, confined.stream().map(Finding::closing)),
            count(Escape.class, confined.stream().flatMap(site -> site.escapes().stream())),
            count(confined, Condition.ESCAPE::isMetBy),
            count(confined, Finding::nested),
            count(confined, Finding::inLoop),
            count(SizeClass.class, confined.stream().map(site -> SizeClass.of(site.bytes())))));
  }

  private static int count(List<Finding> sites, Predicate<Finding> what) {
    return (int) sites.stream().filter(what).count();
  }

  private static <E extends Enum<E>> Map<E, Integer> count(Class<E> kind, Stream<E> all) {
    Map<E, Integer> numbers = new EnumMap<>(kind);
    EnumSet.allOf(kind).forEach(key -> numbers.put(key, 0));
    all.forEach(key -> numbers.merge(key, 1, Integer::sum));
    return numbers;
  }

  int of(ArenaKind kind) {
    return sites.getOrDefault(kind, 0);
  }

  int of(Pooling answer) {
    return pooling.getOrDefault(answer, 0);
  }

  int of(Closing way) {
    return confined.closing.getOrDefault(way, 0);
  }

  int of(SizeClass size) {
    return confined.bytes.getOrDefault(size, 0);
  }

  int all() {
    return sites.values().stream().mapToInt(Integer::intValue).sum();
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
