package dev.rockpool.cli.attach;

import java.lang.foreign.Arena;
import java.util.concurrent.locks.LockSupport;

/** A program that opens arenas all the time, until its input ends. */
final class ArenaLoop {
  private ArenaLoop() {}

  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(ArenaLoop::loop);
    IO.println("ready");
    while (IO.readln() != null) {
      IO.println("here");
    }
  }

  private static void loop() {
    while (true) {
      for (int i = 0; i < 100; i++) {
        allocate();
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** A method of its own, because one that is running keeps its former code. */
  private static void allocate() {
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(24);
    }
  }
}
