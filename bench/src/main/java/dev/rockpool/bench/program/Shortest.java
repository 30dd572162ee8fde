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

    /**
     * Prints a line.
     *
     * @param args not used
     */
    public static void main(String[] args) {
      System.out.println("no arena");
    }
  }

  /** A program with one confined arena, and no native call. */
  public static final class OneArena {
    private static final long BYTE_SIZE = 16;

    private OneArena() {}

    /**
     * Opens it, allocates once, and prints a line.
     *
     * @param args not used
     */
    public static void main(String[] args) {
      try (Arena arena = Arena.ofConfined()) {
        System.out.println(arena.allocate(BYTE_SIZE).byteSize());
      }
    }
  }

  /** An agent that does nothing, and may do all that ours may: the cost of any agent. */
  public static final class EmptyAgent {
    private EmptyAgent() {}

    /**
     * Called by the JVM before the program's main method.
     *
     * @param options not used
     * @param instrumentation not used
     */
    public static void premain(String options, Instrumentation instrumentation) {}
  }
}
