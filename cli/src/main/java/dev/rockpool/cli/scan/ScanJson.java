package dev.rockpool.cli.scan;

import com.google.gson.annotations.SerializedName;
import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Skipped;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scan as JSON, whose names are those of the components. Unknown values are null.
 *
 * @param format goes up when a reader of the old format would be misled
 */
record ScanJson(
    int format,
    String rockpool,
    int classes,
    Counts total,
    List<Artifact> artifacts,
    List<Skipped> skipped) {
  static ScanJson of(Scan scan) {
    return new ScanJson(
        1,
        Installation.version(),
        scan.classes(),
        Counts.of(Tally.of(scan.artifacts())),
        scan.artifacts().stream().map(Artifact::of).toList(),
        scan.skipped());
  }

  record Artifact(String name, int classes, Counts tally, List<Site> sites) {
    static Artifact of(Scan.Artifact artifact) {
      return new Artifact(
          artifact.name(),
          artifact.classes(),
          Counts.of(Tally.of(List.of(artifact))),
          artifact.findings().stream().map(site -> Site.of(artifact, site)).toList());
    }
  }

  record Counts(Map<ArenaKind, Integer> sites, Map<Pooling, Integer> pooling, Confined confined) {
    static Counts of(Tally tally) {
      return new Counts(
          tally.by(ArenaKind.class),
          tally.by(Pooling.class),
          new Confined(
              tally.by(Closing.class),
              tally.by(Escape.class),
              tally.escaping(),
              tally.nested(),
              tally.inLoop(),
              tally.by(SizeClass.class)));
    }
  }

  record Confined(
      Map<Closing, Integer> closing,
      Map<Escape, Integer> escapes,
      int escaping,
      int nested,
      int inLoop,
      Map<SizeClass, Integer> bytes) {}

  record Site(
      ArenaKind factory,
      @SerializedName("class") String type,
      String method,
      @Nullable String source,
      @Nullable Integer line,
      String entry,
      @Nullable Integer release,
      Pooling pooling,
      Closing closing,
      Set<Escape> escapes,
      boolean nested,
      boolean inLoop,
      List<Request> requests,
      @Nullable Long bytes) {
    static Site of(Scan.Artifact artifact, Finding finding) {
      Place place = finding.place();
      return new Site(
          finding.kind(),
          place.type(),
          place.method(),
          place.source().orElse(null),
          ScanJson.line(place.line()),
          place.entry(),
          place.release() == 0 ? null : place.release(),
          Pooling.of(artifact, finding),
          finding.closing(),
          finding.escapes(),
          finding.nested(),
          finding.inLoop(),
          finding.requests().stream().map(Request::of).toList(),
          ScanJson.bytes(finding.bytes()));
    }
  }

  record Request(@Nullable Long bytes, boolean repeated, @Nullable Integer line) {
    static Request of(Finding.Request request) {
      return new Request(
          ScanJson.bytes(request.bytes()), request.repeated(), ScanJson.line(request.line()));
    }
  }

  private static @Nullable Long bytes(OptionalLong bytes) {
    return bytes.isPresent() ? bytes.getAsLong() : null;
  }

  private static @Nullable Integer line(int line) {
    return line < 0 ? null : line;
  }
}
