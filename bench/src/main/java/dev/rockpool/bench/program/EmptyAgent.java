package dev.rockpool.bench.program;

import java.lang.instrument.Instrumentation;

/** An agent that does nothing, and may do what ours may: what each agent costs. */
public final class EmptyAgent {
  private EmptyAgent() {}

  /**
   * Called by the JVM before the program's main method.
   *
   * @param options not used
   * @param instrumentation not used
   */
  public static void premain(String options, Instrumentation instrumentation) {}
}
