package dev.rockpool.bench.program;

import java.lang.foreign.Arena;

/** A program with one confined arena, and no native call. */
public final class OneArena {
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
