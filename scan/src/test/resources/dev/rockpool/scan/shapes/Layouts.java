package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Worked out from the code that makes them, here and in another class. */
class Layouts {
  private static final MemoryLayout PAIR =
      MemoryLayout.structLayout(
              ValueLayout.JAVA_INT.withName("a"),
              MemoryLayout.paddingLayout(4),
              ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN))
          .withName("pair");
  private static final MemoryLayout EITHER =
      MemoryLayout.unionLayout(PAIR, ValueLayout.JAVA_BYTE.withByteAlignment(1));
  private static MemoryLayout notFinal = PAIR;

  void own() {
    // -> confined: try-with-resources; at most 80 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(PAIR);
      arena.allocate(EITHER);
      arena.allocate(MemoryLayout.sequenceLayout(3, PAIR));
    }
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(notFinal);
    }
  }

  void ofAnotherClass() {
    // -> confined: try-with-resources; at most 68 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(Point.layout(), 2);
      arena.allocate(Point.sizeof());
      arena.allocate(Linker.Option.captureStateLayout());
      arena.allocate(Point.POINT);
    }
  }

  static class Point implements Constants {
    private static final GroupLayout LAYOUT =
        MemoryLayout.structLayout(
            C_LONG, (ValueLayout) Linker.nativeLinker().canonicalLayouts().get("void*"));

    static GroupLayout layout() {
      return LAYOUT;
    }

    static long sizeof() {
      return layout().byteSize();
    }
  }

  interface Constants {
    ValueLayout.OfLong C_LONG =
        (ValueLayout.OfLong) Linker.nativeLinker().canonicalLayouts().get("long");
    MemoryLayout POINT = Point.layout();
  }
}
