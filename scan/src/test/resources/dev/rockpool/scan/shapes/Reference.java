package shapes;

import java.lang.foreign.Arena;
import java.util.function.Supplier;

/** A method reference creates it. */
class Reference {
  Supplier<Arena> run() {
    // -> confined: method reference; bytes unknown
    return Arena::ofConfined;
  }

  Supplier<Arena> lambda() {
    // -> shared: never closed in sight; returned; bytes unknown
    return () -> Arena.ofShared();
  }
}
