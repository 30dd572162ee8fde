package dev.rockpool.cli.scan;

import dev.rockpool.scan.Condition;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Numbers of sites, by what they do. All but the first two are about confined arenas.
 *
 * @param sites by kind of arena
 * @param poolings sites of all kinds, by what the agent does with their arenas
 * @param closings how they are closed; the numbers add up to the confined ones
 * @param escapes how they leave the method; one site may do so in several ways
 * @param escaping sites that return, store or capture the arena
 * @param nested sites at which another arena may be open
 * @param inLoop sites in a loop
 * @param sizes what the arena is asked for; the numbers add up to the confined ones
 */
record Tally(
    Map<ArenaKind, Integer> sites,
    Map<Pooling, Integer> poolings,
    Map<Closing, Integer> closings,
    Map<Escape, Integer> escapes,
    int escaping,
    int nested,
    int inLoop,
    Map<SizeClass, Integer> sizes) {
  static Tally of(Scan scan) {
    return of(scan.artifacts());
  }

  static Tally of(Artifact artifact) {
    return of(List.of(artifact));
  }

  private static Tally of(List<Artifact> artifacts) {
    Map<ArenaKind, Integer> sites = zeroes(ArenaKind.class);
    Map<Pooling, Integer> poolings = zeroes(Pooling.class);
    List<Finding> confined = new ArrayList<>();
    for (Artifact artifact : artifacts) {
      for (Finding site : artifact.findings()) {
        add(sites, site.kind());
        add(poolings, Pooling.of(artifact, site));
        if (site.kind() == ArenaKind.CONFINED) {
          confined.add(site);
        }
      }
    }
    Map<Closing, Integer> closings = zeroes(Closing.class);
    Map<Escape, Integer> escapes = zeroes(Escape.class);
    Map<SizeClass, Integer> sizes = zeroes(SizeClass.class);
    for (Finding site : confined) {
      add(closings, site.closing());
      site.escapes().forEach(escape -> add(escapes, escape));
      add(sizes, SizeClass.of(site.bytes()));
    }
    return new Tally(
        sites,
        poolings,
        closings,
        escapes,
        count(confined, Condition.ESCAPE::isMetBy),
        count(confined, Finding::nested),
        count(confined, Finding::inLoop),
        sizes);
  }

  private static <E extends Enum<E>> Map<E, Integer> zeroes(Class<E> type) {
    Map<E, Integer> zeroes = new EnumMap<>(type);
    for (E key : type.getEnumConstants()) {
      zeroes.put(key, 0);
    }
    return zeroes;
  }

  private static <E> void add(Map<E, Integer> counts, E key) {
    counts.merge(key, 1, Integer::sum);
  }

  private static int count(List<Finding> sites, Predicate<Finding> what) {
    return (int) sites.stream().filter(what).count();
  }

  int of(ArenaKind kind) {
    return sites.getOrDefault(kind, 0);
  }

  int of(Closing closing) {
    return closings.getOrDefault(closing, 0);
  }

  int of(Escape escape) {
    return escapes.getOrDefault(escape, 0);
  }

  int of(SizeClass size) {
    return sizes.getOrDefault(size, 0);
  }

  int of(Pooling pooling) {
    return poolings.getOrDefault(pooling, 0);
  }

  /** Sites of all kinds. */
  int all() {
    return sites.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Pooled, wholly or as far as they fit. */
  int pooled() {
    return of(Pooling.POOLED) + of(Pooling.AS_FAR_AS_IT_FITS);
  }

  int confined() {
    return of(ArenaKind.CONFINED);
  }

  /** Closed by a statement of the language. */
  int structured() {
    return of(Closing.TRY_WITH_RESOURCES) + of(Closing.KOTLIN_USE);
  }

  /** Closed, but not by a statement of the language. */
  int otherwise() {
    return of(Closing.ALL_PATHS) + of(Closing.SOME_PATHS);
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

    private final String label;
    private final long most;

    SizeClass(String label, long most) {
      this.label = label;
      this.most = most;
    }

    /** The bytes, for tables. */
    String label() {
      return label;
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
