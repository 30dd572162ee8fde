package dev.rockpool.bench.program;

/** The shortest of programs. */
public final class NoArena {
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
