package dev.rockpool.cli.report.recording;

/** A chunk ends early; what comes before it in the file is whole. */
final class CutOff extends Unusable {
  private static final long serialVersionUID = 1;

  CutOff(String reason) {
    super(reason);
  }
}
