package dev.rockpool.cli.attach;

import java.lang.foreign.Arena;

/** A program that runs on: for each line it reads, it prints the class of a confined arena. */
final class ArenaPerLine {
  private ArenaPerLine() {}

  public static void main(String[] args) {
    // First of all, so that the method is loaded, and has run, before an agent comes.
    IO.println(arenaClass());
    while (IO.readln() != null) {
      IO.println(arenaClass());
    }
  }

  private static String arenaClass() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.getClass().getName();
    }
  }
}
