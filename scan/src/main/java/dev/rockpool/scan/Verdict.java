package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Artifact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A scan, judged by conditions; for builds that fail on them, and for tools that read SARIF or CSV.
 * It never changes, so any thread may use it.
 */
public final class Verdict {
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
      Artifact artifact, Finding finding, String key, Pooling pooling, Set<Condition> conditions) {}

  /**
   * A condition that a place meets and must not.
   *
   * @param condition the condition
   * @param site the place
   */
  public record Failure(Condition condition, Site site) {
    /** Returns the place, and what is unwanted of it, in a line. */
    @Override
    public String toString() {
      return site.finding().place() + "  " + condition.label() + ": " + condition.description();
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
        String like =
            word(finding.place().type())
                + "\t"
                + word(finding.place().method())
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

  /** A name as a word of one line: JVMs allow nearly any character in it. */
  private static String word(String name) {
    return name.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  /**
   * Lists all places, in the order of the scan.
   *
   * @return the places
   */
  public List<Site> sites() {
    return Collections.unmodifiableList(sites);
  }

  /**
   * Lists the places that meet conditions that they must not, and that the baseline does not know.
   *
   * @return the places, in the order of the scan
   */
  public List<Failure> failures() {
    return sites.stream()
        .flatMap(site -> site.conditions().stream().map(c -> new Failure(c, site)))
        .filter(failure -> unwanted.contains(failure.condition))
        .filter(failure -> !baseline.knows(failure.condition, failure.site))
        .toList();
  }

  /**
   * Writes the places that meet conditions as SARIF 2.1.0: as errors if they must not, else as
   * notes; with what could not be read.
   *
   * @param version of the tool that scans
   * @return the JSON
   */
  public String sarif(String version) {
    return Sarif.of(scan, sites, unwanted, baseline, version);
  }

  /**
   * Writes all places as CSV (RFC 4180), with a header.
   *
   * @return the lines
   */
  public String csv() {
    return Csv.of(sites);
  }
}
