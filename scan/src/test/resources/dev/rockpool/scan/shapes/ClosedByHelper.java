package shapes;

import java.lang.foreign.Arena;

/** By methods that nothing can override. */
class ClosedByHelper {
  private final boolean close = hashCode() > 0;

  void quietly() {
    // -> confined: closed on all paths; passed; 8 bytes
    Arena arena = Arena.ofConfined();
    try {
      arena.allocate(8);
    } finally {
      closeQuietly(arena);
    }
  }

  private void closeQuietly(Arena arena) {
    if (arena != null) {
      try {
        arena.close();
      } catch (RuntimeException e) {
        // quiet
      }
    }
  }

  void byAHelperOfTheHelper() {
    // -> confined: closed on all paths; passed; asked for nothing
    Arena arena = Arena.ofConfined();
    close("arena", arena);
  }

  private static void close(String name, AutoCloseable resource) {
    Others.close(resource);
  }

  void sometimes() {
    // -> confined: closed on some paths; passed; asked for nothing
    Arena arena = Arena.ofConfined();
    closeIf(arena);
  }

  private void closeIf(Arena arena) {
    if (close) {
      arena.close();
    }
  }

  void byOneThatCanBeOverridden() {
    // -> confined: closing unknown; passed; bytes unknown
    Arena arena = Arena.ofConfined();
    closeElsewhere(arena);
  }

  void givenAwayUnlessThatFails() {
    // -> confined: closing unknown; passed; bytes unknown
    Arena arena = Arena.ofConfined();
    try {
      closeElsewhere(arena);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  void openUnlessThatFails() {
    // -> confined: closed on some paths; 8 bytes
    Arena arena = Arena.ofConfined();
    try {
      arena.allocate(8);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  void closeElsewhere(Arena arena) {
    arena.close();
  }

  void another() {
    // -> confined: never closed in sight; passed; asked for nothing
    Arena arena = Arena.ofConfined();
    // -> confined: closed on all paths; passed, nested; asked for nothing
    Arena other = Arena.ofConfined();
    closeSecond(arena, other);
  }

  private static void closeSecond(Arena first, Arena second) {
    second.close();
  }

  void notByItself() {
    // -> confined: closing unknown; passed; bytes unknown
    Arena arena = Arena.ofConfined();
    closeNever(arena, 3);
  }

  private static void closeNever(Arena arena, int times) {
    if (times > 0) {
      closeNever(arena, times - 1);
    }
  }

  /** A class that names nothing of java.lang.foreign. */
  static final class Others {
    static void close(AutoCloseable resource) {
      try {
        resource.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  Object byHolderOfAnything() {
    // -> confined: left to its holder; passed; bytes unknown
    return new Keeper(Arena.ofConfined(), 1);
  }

  /** Another such class. */
  static final class Keeper {
    private final AutoCloseable resource;

    Keeper(AutoCloseable resource, int count) {
      this.resource = resource;
    }

    void end() throws Exception {
      resource.close();
    }
  }
}
