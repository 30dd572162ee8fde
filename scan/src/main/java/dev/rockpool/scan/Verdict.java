package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Scan.Artifact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scan, judged by conditions; for builds that fail on them, and for tools that read SARIF or CSV.
 * It never changes, so any thread may use it.
 *
 * @since 0.1.0
 */
public final class Verdict {
  /** The columns of CSV; null is an unknown value. */
  private static final Map<String, Function<Site, @Nullable Object>> COLUMNS =
      new LinkedHashMap<>();

  static {
    COLUMNS.put("artifact", site -> site.artifact.name());
    COLUMNS.put("entry", site -> site.place().entry());
    COLUMNS.put("release", site -> site.place().release() == 0 ? null : site.place().release());
    COLUMNS.put("class", site -> site.place().type());
    COLUMNS.put("method", site -> site.place().method());
    COLUMNS.put("source", site -> site.place().source().orElse(null));
    COLUMNS.put("line", site -> site.place().line() < 0 ? null : site.place().line());
    COLUMNS.put("kind", site -> site.finding.kind());
    COLUMNS.put("pooling", Site::pooling);
    COLUMNS.put("closing", site -> site.finding.closing());
    COLUMNS.put("escapes", site -> site.finding.escapes());
    COLUMNS.put("nested", site -> site.finding.nested());
    COLUMNS.put("inLoop", site -> site.finding.inLoop());
    COLUMNS.put("bytes", site -> known(site.finding.bytes()));
    COLUMNS.put("conditions", Site::conditions);
  }

  private static @Nullable Long known(OptionalLong bytes) {
    return bytes.isPresent() ? bytes.getAsLong() : null;
  }

  /**
   * A place, with all that follows from it.
   *
   * @param artifact the jar or folder
   * @param finding the place in it
   * @param key class, method, kind of arena and ordinal, with tabs in between
   * @param pooling what the agent does with its arenas
   * @param conditions all that it meets
   */
  public record Site(
      Artifact artifact, Finding finding, String key, Pooling pooling, Set<Condition> conditions) {
    private Place place() {
      return finding.place();
    }

    /**
     * Lists all that is known of the place, by the columns of CSV.
     *
     * @return texts, numbers, constants and sets of constants; empty for unknown values
     */
    public Map<String, Optional<Object>> values() {
      Map<String, Optional<Object>> values = new LinkedHashMap<>();
      COLUMNS.forEach((name, value) -> values.put(name, Optional.ofNullable(value.apply(this))));
      return values;
    }
  }

  private final Scan scan;
  private final Set<Condition> unwanted;
  private final Baseline baseline;
  private final List<Site> sites = new ArrayList<>();

  /**
   * Judges a scan.
   *
   * @param scan what was found
   * @param unwanted conditions that no place must meet
   * @param baseline places that may meet them
   */
  public Verdict(Scan scan, Set<Condition> unwanted, Baseline baseline) {
    this.scan = scan;
    this.unwanted = Set.copyOf(unwanted);
    this.baseline = baseline;
    for (Artifact artifact : scan.artifacts()) {
      Map<String, Integer> ordinals = new HashMap<>();
      for (Finding finding : artifact.findings()) {
        Place place = finding.place();
        String like =
            printable(place.type())
                + "\t"
                + printable(place.method())
                + "\t"
                + finding.kind().label();
        int ordinal = ordinals.merge(like, 1, Integer::sum);
        Set<Condition> conditions = EnumSet.noneOf(Condition.class);
        Arrays.stream(Condition.values()).filter(c -> c.isMetBy(finding)).forEach(conditions::add);
        sites.add(
            new Site(
                artifact,
                finding,
                like + "\t" + ordinal,
                Pooling.of(artifact, finding),
                Collections.unmodifiableSet(conditions)));
      }
    }
  }

  /**
   * Replaces control characters: names out of a jar, in which JVMs allow nearly any character, must
   * neither end a line nor steer the terminal that shows a file.
   */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  /** {@return all places, in the order of the scan} */
  public List<Site> sites() {
    return Collections.unmodifiableList(sites);
  }

  /**
   * {@return the places that meet conditions that they must not, and that the baseline does not
   * know, in the order of the scan}
   */
  public List<Site> failures() {
    return sites.stream().filter(site -> !failed(site).isEmpty()).toList();
  }

  private Set<Condition> failed(Site site) {
    return site.conditions().stream()
        .filter(condition -> unwanted.contains(condition) && !baseline.knows(condition, site))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Tells where the scan fails and why.
   *
   * @return a line for each place, with the names of the conditions, and a line that explains each
   *     of these; none if nothing fails
   */
  public List<String> failureLines() {
    List<String> lines = new ArrayList<>();
    Set<Condition> all = new TreeSet<>();
    for (Site site : failures()) {
      Set<Condition> failed = failed(site);
      String labels = failed.stream().map(Condition::label).collect(Collectors.joining(", "));
      lines.add("  at " + site.place() + "  " + labels);
      all.addAll(failed);
    }
    all.forEach(condition -> lines.add("  " + condition.label() + ": " + condition.description()));
    return lines;
  }

  /**
   * Writes the places that meet conditions as SARIF 2.1.0: as errors if they must not, else as
   * notes; with what could not be read.
   *
   * @param version of the tool that scans
   * @return the JSON
   */
  public String sarif(String version) {
    return new Sarif(unwanted, baseline).text(scan, sites, version);
  }

  /** {@return all places as CSV (RFC 4180), with a header} */
  public String csv() {
    return sites.stream()
        .map(
            site ->
                COLUMNS.values().stream().map(column -> cell(printable(text(column.apply(site))))))
        .map(cells -> cells.collect(Collectors.joining(",", "", "\r\n")))
        .collect(Collectors.joining("", String.join(",", COLUMNS.keySet()) + "\r\n", ""));
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
      case Collection<?> all -> all.stream().map(Verdict::text).collect(Collectors.joining(" "));
      default -> value.toString();
    };
  }

  /** Spreadsheets take text that begins like a formula for one, unless an apostrophe is first. */
  private static String cell(String text) {
    if (text.matches("(?s)[=+@\\-\t\r].*")) {
      return cell("'" + text);
    }
    return text.matches("[^\",\\r\\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
