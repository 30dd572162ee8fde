package shapes;

import java.lang.foreign.Arena;
import java.util.function.Supplier;

/** By a lambda, and by a method reference. */
class Captured {
  void run() {
    // -> confined: try-with-resources; captured; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      Runnable task = () -> arena.allocate(8);
      task.run();
    }
  }

  Runnable reference() {
    // -> confined: left to its holder; captured; bytes unknown
    Arena arena = Arena.ofConfined();
    return arena::close;
  }

  Runnable closedByLambda() {
    // -> confined: left to its holder; captured; bytes unknown
    Arena arena = Arena.ofConfined();
    return () -> {
      try (arena) {
        arena.allocate(8);
      }
    };
  }

  Runnable neverClosed() {
    // -> confined: never closed in sight; captured; bytes unknown
    Arena arena = Arena.ofConfined();
    return () -> arena.allocate(8);
  }

  Supplier<Arena> handedOut() {
    // -> confined: method reference or lambda; bytes unknown
    return () -> Arena.ofConfined();
  }

  Supplier<Arena> storedBefore() {
    // -> confined: never closed in sight; returned, stored; bytes unknown
    return () -> last = Arena.ofConfined();
  }

  private Arena last;
}
