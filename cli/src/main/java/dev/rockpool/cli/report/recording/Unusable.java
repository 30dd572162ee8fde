package dev.rockpool.cli.report.recording;

/** A file can't be used; the message says why. */
class Unusable extends Exception {
  private static final long serialVersionUID = 1;

  Unusable(String reason) {
    super(reason);
  }
}
