package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Somebody else may close it. */
class InField {
  // -> confined: left to its holder; stored; bytes unknown
  private final Arena arena = Arena.ofConfined();

  // -> shared: left to its holder; stored; bytes unknown
  private static final Arena SHARED = Arena.ofShared();

  // -> shared: never closed in sight; stored, nested; bytes unknown
  private final Arena leaked = Arena.ofShared();

  // -> shared: left to its holder; stored, nested; bytes unknown
  private final Arena forAnother = Arena.ofShared();

  void close() {
    arena.close();
    SHARED.close();
    leaked.allocate(8);
  }

  class Inner implements AutoCloseable {
    @Override
    public void close() {
      forAnother.close();
    }
  }

  /** Closes it only if something fails. */
  static final class OnError {
    private final Arena arena;
    private final MemorySegment segment;

    OnError() {
      // -> shared: closed on some paths; stored; bytes unknown
      Arena arena = Arena.ofShared();
      try {
        segment = arena.allocate(8);
        this.arena = arena;
      } catch (OutOfMemoryError e) {
        arena.close();
        throw e;
      }
    }
  }

  /** Code of the class that declares the field closes what a subclass stores. */
  abstract static class Base implements AutoCloseable {
    Arena arena;

    @Override
    public void close() {
      arena.close();
    }
  }

  static final class Derived extends Base {
    Derived() {
      // -> shared: left to its holder; stored; bytes unknown
      arena = Arena.ofShared();
    }
  }

  static final class Wrapper implements AutoCloseable {
    private final Arena arena;

    Wrapper(Arena arena) {
      this.arena = arena;
    }

    @Override
    public void close() {
      arena.close();
    }

    static void run() {
      // -> shared: left to its holder; passed; bytes unknown
      try (Wrapper wrapper = new Wrapper(Arena.ofShared())) {
        wrapper.arena.allocate(8);
      }
    }
  }
}
