package shapes;

import java.lang.foreign.Arena;

/** An object may keep it. */
class PassedToConstructor {
  private final Arena arena;

  PassedToConstructor(Arena arena) {
    this.arena = arena;
  }

  static Object run() {
    // -> confined: closing unknown; passed; bytes unknown
    return new PassedToConstructor(Arena.ofConfined());
  }
}
