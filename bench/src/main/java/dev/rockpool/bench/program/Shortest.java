package dev.rockpool.bench.program;

import java.lang.foreign.Arena;
import java.lang.instrument.Instrumentation;

/**
 * The shortest of programs, and the shortest of agents. Each is a class of its own, because the
 * agent looks at every class that is loaded, and one without an arena must not mention any.
 */
final class Shortest {
  private Shortest() {}

  /** A program that prints a line. */
  public static final class NoArena {
    private NoArena() {}

    public static void main(String[] args) {
      System.out.println("no arena");
    }
  }

  /** A program with one confined arena, and no native call. */
  public static final class OneArena {
    private OneArena() {}

    public static void main(String[] args) {
      try (Arena arena = Arena.ofConfined()) {
        System.out.println(arena.allocate(16).byteSize());
      }
    }
  }

  /** An agent that does nothing, and may do all that ours may: the cost of any agent. */
  public static final class EmptyAgent {
    private EmptyAgent() {}

    public static void premain(String options, Instrumentation instrumentation) {}
  }
}
