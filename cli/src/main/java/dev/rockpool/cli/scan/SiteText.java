package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.Escape;
import dev.rockpool.cli.scan.flow.Site;
import java.util.ArrayList;
import java.util.List;

/** What is known of a site, in words. */
final class SiteText {
  private SiteText() {}

  /** For example "confined: try-with-resources; nested, in a loop; at most 8 bytes". */
  static String of(Finding finding) {
    Site site = finding.site();
    List<String> parts = new ArrayList<>();
    parts.add(site.factory().label() + ": " + site.closing().label());
    String circumstances = circumstances(finding);
    if (!circumstances.isEmpty()) {
      parts.add(circumstances);
    }
    parts.add(bytes(site));
    return String.join("; ", parts);
  }

  static String circumstances(Finding finding) {
    Site site = finding.site();
    List<String> words = new ArrayList<>();
    for (Escape escape : site.escapes()) {
      words.add(escape.label());
    }
    if (site.nested()) {
      words.add("nested");
    }
    if (site.inLoop()) {
      words.add("in a loop");
    }
    if (finding.release() > 0) {
      words.add("from Java " + finding.release() + " on");
    }
    return String.join(", ", words);
  }

  static String bytes(Site site) {
    if (site.bytes().isEmpty()) {
      return "bytes unknown";
    }
    long bytes = site.bytes().getAsLong();
    return bytes == 0
        ? "asked for nothing"
        : (site.requests().size() > 1 ? "at most " : "")
            + bytes
            + (bytes == 1 ? " byte" : " bytes");
  }
}
