package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;

/** Prints the shared pool, and makes no other. */
final class SharedPoolProbe {
  private SharedPoolProbe() {}

  public static void main(String[] args) {
    System.out.println(ArenaPool.shared());
  }
}
