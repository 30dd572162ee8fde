package dev.rockpool.agent;

import java.lang.foreign.Arena;

/** Where tests redirect {@code Arena.ofConfined()} to. Counts what arrives. */
public final class Redirected {
  /** The name to give to {@code ArenaCallSites}. */
  static final String TARGET = "dev/rockpool/agent/Redirected";

  private static int calls;

  private Redirected() {}

  /** Opens an arena, as the method does that was called. */
  public static Arena ofConfined() {
    calls++;
    return Arena.ofConfined();
  }

  /** How many calls have arrived since this was last asked. */
  static int callsSinceLastAsked() {
    int since = calls;
    calls = 0;
    return since;
  }
}
