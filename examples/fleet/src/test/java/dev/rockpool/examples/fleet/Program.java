package dev.rockpool.examples.fleet;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/** A program that opens arenas, keeps some, and forgets one. Knows nothing of Rockpool. */
final class Program {
  private static final List<Object> KEPT = new ArrayList<>();

  private Program() {}

  /** Opens {@code args[0]} arenas; then, for each other argument, writes a recording so far. */
  public static void main(String[] args) throws Exception {
    int arenas = Integer.parseInt(args[0]);
    for (int round = 0; round < args.length; round++) {
      open(arenas, 1 + round);
      openLarge();
      keep();
      forget();
      KEPT.add(ByteBuffer.allocateDirect(1000 * arenas));
      System.gc();
      if (round + 1 < args.length) {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
          recording.dump(Path.of(args[round + 1]));
        }
      }
    }
  }

  private static void open(int arenas, int allocations) {
    for (int i = 0; i < arenas; i++) {
      try (Arena arena = Arena.ofConfined()) {
        for (int j = 0; j < allocations * (i % 3); j++) {
          arena.allocate(10L * (1 + i % 5), 8);
        }
      }
    }
  }

  private static void openLarge() {
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(100_000);
    }
  }

  private static void keep() {
    Arena arena = Arena.ofConfined();
    arena.allocate(5000);
    KEPT.add(arena);
  }

  private static void forget() {
    Arena.ofShared().allocate(3000);
  }
}
