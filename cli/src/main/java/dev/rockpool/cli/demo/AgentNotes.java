package dev.rockpool.cli.demo;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a verbose agent wrote to standard error.
 *
 * @param present whether it wrote anything, so was there
 * @param classes how many classes it rewrote
 * @param callSites how many calls of {@code Arena.ofConfined()} in them
 */
record AgentNotes(boolean present, int classes, int callSites) {
  private static final Pattern PRESENT = Pattern.compile("\\[rockpool] agent .*");
  private static final Pattern REWRITTEN =
      Pattern.compile("\\[rockpool] .*: (\\d+) call sites? of Arena\\.ofConfined\\(\\) rewritten");

  static AgentNotes in(List<String> lines) {
    List<Matcher> rewritten =
        lines.stream().map(REWRITTEN::matcher).filter(Matcher::matches).toList();
    return new AgentNotes(
        lines.stream().anyMatch(line -> PRESENT.matcher(line).matches()),
        rewritten.size(),
        rewritten.stream().mapToInt(matcher -> Integer.parseInt(matcher.group(1))).sum());
  }

  /** What that means for the comparison. */
  @Override
  public String toString() {
    if (!present) {
      return "The agent left no word on standard error: perhaps it was not there at all.";
    }
    return callSites == 0
        ? "The agent found no call of Arena.ofConfined() in the classes that were loaded: no gain"
            + " to expect."
        : "Calls of Arena.ofConfined() that the agent rewrote: "
            + callSites
            + ", in "
            + classes
            + (classes == 1 ? " class." : " classes.");
  }
}
