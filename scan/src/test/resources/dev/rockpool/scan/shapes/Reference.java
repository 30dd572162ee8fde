package shapes;

import java.lang.foreign.Arena;
import java.util.function.Supplier;

/** A method reference creates it. */
class Reference {
  Supplier<Arena> run() {
    // -> confined: method reference or lambda; bytes unknown
    return Arena::ofConfined;
  }

  Supplier<Arena> lambda() {
    // -> shared: method reference or lambda; bytes unknown
    return () -> Arena.ofShared();
  }
}
