package dev.rockpool.cli.scan;

import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Numbers of sites, by what they do. All but {@code sites} is about confined arenas.
 *
 * @param sites by kind of arena
 * @param closings how they are closed; the numbers add up to the confined ones
 * @param escapes how they leave the method; one site may do so in several ways
 * @param escaping sites that return, store or capture the arena
 * @param nested sites at which another arena may be open
 * @param inLoop sites in a loop
 * @param sizes what the arena is asked for; the numbers add up to the confined ones
 */
record Tally(
    Map<ArenaKind, Integer> sites,
    Map<Closing, Integer> closings,
    Map<Escape, Integer> escapes,
    int escaping,
    int nested,
    int inLoop,
    Map<SizeClass, Integer> sizes) {
  private static final Set<Escape> OUT_OF_HAND =
      EnumSet.of(Escape.RETURNED, Escape.STORED, Escape.CAPTURED);

  static Tally of(Scan scan) {
    return of(scan.artifacts().stream().flatMap(a -> a.findings().stream()).toList());
  }

  static Tally of(Artifact artifact) {
    return of(artifact.findings());
  }

  private static Tally of(List<Finding> findings) {
    Map<ArenaKind, Integer> sites = zeroes(ArenaKind.class);
    Map<Closing, Integer> closings = zeroes(Closing.class);
    Map<Escape, Integer> escapes = zeroes(Escape.class);
    Map<SizeClass, Integer> sizes = zeroes(SizeClass.class);
    findings.forEach(site -> add(sites, site.kind()));
    List<Finding> confined =
        findings.stream().filter(site -> site.kind() == ArenaKind.CONFINED).toList();
    for (Finding site : confined) {
      add(closings, site.closing());
      site.escapes().forEach(escape -> add(escapes, escape));
      add(sizes, SizeClass.of(site.bytes()));
    }
    return new Tally(
        sites,
        closings,
        escapes,
        count(confined, site -> site.escapes().stream().anyMatch(OUT_OF_HAND::contains)),
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
