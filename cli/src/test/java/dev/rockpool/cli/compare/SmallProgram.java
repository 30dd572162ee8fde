package dev.rockpool.cli.compare;

import java.lang.foreign.Arena;

/** Somebody's program, which does what its first argument says. */
final class SmallProgram {
  private SmallProgram() {}

  public static void main(String[] args) {
    switch (args[0]) {
      case "greet" -> {
        try (Arena arena = Arena.ofConfined()) {
          System.out.println(arena.allocateFrom("hello").getString(0));
        }
      }
      case "show-arena" -> {
        try (Arena arena = Arena.ofConfined()) {
          System.out.println(arena.getClass().getName());
        }
      }
      case "many" -> {
        for (int i = 0; i < 1000; i++) {
          try (Arena arena = Arena.ofConfined()) {
            if (i >= 100) {
              arena.allocate(i < 990 ? 20 : 20_000);
            }
          }
        }
      }
      case "fail" -> {
        System.err.println("it did not work out");
        System.exit(3);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }
}
