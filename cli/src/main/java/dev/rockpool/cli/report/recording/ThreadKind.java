package dev.rockpool.cli.report.recording;

/** The kind of thread that an arena was confined to. */
public enum ThreadKind {
  PLATFORM,
  VIRTUAL
}
