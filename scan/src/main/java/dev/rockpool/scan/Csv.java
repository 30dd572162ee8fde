package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Verdict.Site;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Places as lines of CSV. */
final class Csv {
  private static final List<String> HEADER =
      List.of(
          "artifact",
          "entry",
          "release",
          "class",
          "method",
          "source",
          "line",
          "kind",
          "pooling",
          "closing",
          "escapes",
          "nested",
          "inLoop",
          "bytes",
          "conditions");

  private Csv() {}

  static String of(List<Site> sites) {
    return Stream.concat(Stream.of(HEADER), sites.stream().map(Csv::row))
        .map(row -> row.stream().map(Csv::cell).collect(Collectors.joining(",", "", "\r\n")))
        .collect(Collectors.joining());
  }

  /** An unknown value is empty. */
  private static List<String> row(Site site) {
    Finding finding = site.finding();
    Place place = finding.place();
    return List.of(
        site.artifact().name(),
        place.entry(),
        place.release() == 0 ? "" : "" + place.release(),
        place.type(),
        place.method(),
        place.source().orElse(""),
        place.line() < 0 ? "" : "" + place.line(),
        finding.kind().label(),
        name(site.pooling()),
        name(finding.closing()),
        names(finding.escapes()),
        "" + finding.nested(),
        "" + finding.inLoop(),
        finding.bytes().isPresent() ? "" + finding.bytes().getAsLong() : "",
        names(site.conditions()));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String names(Collection<? extends Enum<?>> constants) {
    return constants.stream().map(Csv::name).collect(Collectors.joining(" "));
  }

  /** Spreadsheets take text that begins like a formula for one, unless an apostrophe is first. */
  private static String cell(String text) {
    if (text.matches("(?s)[=+@\\-\t\r].*")) {
      return cell("'" + text);
    }
    return text.matches("[^\",\\r\\n]*") ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
