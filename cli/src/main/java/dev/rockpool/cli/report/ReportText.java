package dev.rockpool.cli.report;

/** The report as text, for the terminal: what matters most. */
final class ReportText {
  private ReportText() {}

  static String of(Report report) {
    StringBuilder text = new StringBuilder();
    text.append(report.summary()).append("\n\n");
    text.append(ReportTables.shares(report).text()).append('\n');
    text.append(ReportTables.hitRates(report).text()).append('\n');
    Findings.sizes(report).forEach(sentence -> text.append(sentence).append('\n'));
    Findings.gain(report).forEach(sentence -> text.append('\n').append(sentence).append('\n'));
    return text.toString();
  }
}
