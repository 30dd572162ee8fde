package dev.rockpool.demo;

import java.lang.foreign.Arena;

/** Measures one call in a JVM that does nothing else: arguments CALL PACE, output a line. */
public final class Program {
  private Program() {}

  /** For {@code STRLEN FULL} or the like. */
  public static void main(String[] args) throws Throwable {
    Pace pace = args[1].equals("QUICK") ? Pace.QUICK : Pace.FULL;
    Measurement measurement = new Timer(Call.valueOf(args[0]), pace).measure(arenaClass());
    System.out.println(measurement.toLine());
  }

  /** Tells whether the agent is at work: then it is a class of Rockpool. */
  private static String arenaClass() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.getClass().getName();
    }
  }
}
