package shapes;

import java.lang.foreign.Arena;

/** An element of an array. */
class InArray {
  Object run() {
    // -> confined: never closed in sight; stored; bytes unknown
    return new Arena[] {Arena.ofConfined()};
  }
}
