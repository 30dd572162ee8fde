package dev.rockpool.cli.report;

/** The report as text, for the terminal: what matters most. */
final class ReportText {
  private ReportText() {}

  static String of(Report report) {
    StringBuilder text = new StringBuilder();
    Verdict.of(report).sentences().forEach(sentence -> text.append(sentence).append('\n'));
    text.append('\n').append(report.summary()).append('\n');
    text.append(Provenance.text(report.sources())).append('\n');
    text.append(HolderTables.text(report));
    text.append(ReportTables.shares(report).text()).append('\n');
    text.append(ReportTables.hitRates(report).text()).append('\n');
    Findings.sizes(report).forEach(sentence -> text.append(sentence).append('\n'));
    Forecast forecast = report.forecast();
    if (forecast != null) {
      text.append('\n').append(ReportTables.gain(forecast).text());
      text.append(forecast.calibration().description()).append('\n');
    }
    return text.toString();
  }
}
