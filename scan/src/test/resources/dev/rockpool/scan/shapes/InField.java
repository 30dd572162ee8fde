package shapes;

import java.lang.foreign.Arena;

/** Somebody else may close it. */
class InField {
  // -> confined: never closed in sight; stored; bytes unknown
  private final Arena arena = Arena.ofConfined();

  // -> shared: never closed in sight; stored; bytes unknown
  private static final Arena SHARED = Arena.ofShared();

  void close() {
    arena.close();
    SHARED.close();
  }
}
