package dev.rockpool.cli.scan;

import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.Escape;
import java.util.ArrayList;
import java.util.List;

/** Words for what is known of a place. */
final class SiteText {
  private SiteText() {}

  /** For example "confined: try-with-resources; nested, in a loop; at most 8 bytes". */
  static String of(Finding finding) {
    List<String> parts = new ArrayList<>();
    parts.add(finding.kind().label() + ": " + finding.closing().label());
    String circumstances = circumstances(finding);
    if (!circumstances.isEmpty()) {
      parts.add(circumstances);
    }
    parts.add(bytes(finding));
    return String.join("; ", parts);
  }

  static String circumstances(Finding finding) {
    List<String> words = new ArrayList<>();
    for (Escape escape : finding.escapes()) {
      words.add(escape.label());
    }
    if (finding.nested()) {
      words.add("nested");
    }
    if (finding.inLoop()) {
      words.add("in a loop");
    }
    if (finding.place().release() > 0) {
      words.add("from Java " + finding.place().release() + " on");
    }
    return String.join(", ", words);
  }

  static String bytes(Finding finding) {
    if (finding.bytes().isEmpty()) {
      return "bytes unknown";
    }
    long bytes = finding.bytes().getAsLong();
    return bytes == 0
        ? "asked for nothing"
        : (finding.requests().size() > 1 ? "at most " : "")
            + bytes
            + (bytes == 1 ? " byte" : " bytes");
  }
}
