package dev.rockpool.rewrite;

/**
 * The shapes in which source code asks for a confined arena. Each is a class {@code Sample} that
 * implements {@code Runnable} and uses arenas in one particular way.
 */
enum Shape {
  PLAIN_CALL(
      1,
      1,
      """
      @Override public void run() {
        Arena arena = Arena.ofConfined();
        arena.close();
      }
      """),
  TRY_WITH_RESOURCES(
      2,
      2,
      """
      @Override public void run() {
        try (Arena outer = Arena.ofConfined(); Arena inner = Arena.ofConfined()) {
          inner.allocate(outer.allocate(8).byteSize());
        }
      }
      """),
  METHOD_REFERENCE(
      1,
      2,
      """
      @Override public void run() {
        Supplier<Arena> arenas = Arena::ofConfined;
        arenas.get().close();
        arenas.get().close();
      }
      """),
  CALL_IN_LAMBDA(
      1,
      1,
      """
      @Override public void run() {
        long size = 8;
        Supplier<Object> lambda = () -> {
          try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size);
          }
        };
        lambda.get();
      }
      """),
  INTERFACE_METHODS(
      3,
      3,
      """
      interface Arenas {
        default Arena fromDefault() { return Arena.ofConfined(); }
        static Arena fromStatic() { return Arena.ofConfined(); }
        private Arena hidden() { return Arena.ofConfined(); }
        default Arena fromPrivate() { return hidden(); }
      }

      @Override public void run() {
        Arenas arenas = new Arenas() {};
        arenas.fromDefault().close();
        Arenas.fromStatic().close();
        arenas.fromPrivate().close();
      }
      """),
  ENUM(
      3,
      3,
      """
      enum Kind {
        PLAIN { @Override Arena open() { return Arena.ofConfined(); } },
        BY_REFERENCE { @Override Arena open() { return ((Supplier<Arena>) Arena::ofConfined).get(); } };
        final Arena own = this.ordinal() == 0 ? Arena.ofConfined() : null;
        abstract Arena open();
      }

      @Override public void run() {
        Kind.PLAIN.own.close();
        Kind.PLAIN.open().close();
        Kind.BY_REFERENCE.open().close();
      }
      """),
  SWITCH_OVER_PATTERNS(
      3,
      3,
      """
      record Pair(Object left, Object right) {}

      static Arena of(Object o) {
        return switch (o) {
          case Pair(Integer i, String s) when i > 0 -> Arena.ofConfined();
          case String s -> Arena.ofConfined();
          default -> ((Supplier<Arena>) Arena::ofConfined).get();
        };
      }

      @Override public void run() {
        of(new Pair(1, "")).close();
        of("").close();
        of(1L).close();
      }
      """),
  SEVERAL_USES_OF_EACH_KIND(
      4,
      5,
      """
      static <T> T use(Supplier<Arena> arenas, Function<Arena, T> body) {
        try (Arena arena = arenas.get()) {
          return body.apply(arena);
        }
      }

      @Override public void run() {
        use(Arena::ofConfined, arena -> arena.allocate(1));
        use(Arena::ofConfined, arena -> arena.allocate(2));
        use(() -> Arena.ofConfined(), arena -> arena.allocate(3));
        Arena.ofConfined().close();
        Arena.ofConfined().close();
        Arena.ofShared().close();
        Arena.ofAuto().allocate(4);
      }
      """),
  STACK_MAPS_AND_EXCEPTIONS(
      2,
      8,
      """
      static long sum(int[] sizes) {
        long total = 0;
        Arena arena = Arena.ofConfined();
        try {
          for (int size : sizes) {
            try (Arena each = Arena.ofConfined()) {
              total += size > 1 ? each.allocate(size).byteSize() : 1L;
              if (size < 0) {
                arena.allocate(size);
              }
            } catch (IllegalArgumentException e) {
              total -= e.getMessage() == null ? 2 : 1;
            } finally {
              total++;
            }
          }
          return total;
        } finally {
          arena.close();
        }
      }

      @Override public void run() {
        if (sum(new int[] {1, 16, -1, 8}) != 1 + 16 + 1 - 1 + 8 + 4 - 0 || sum(new int[2]) != 4) {
          throw new AssertionError();
        }
      }
      """);

  private final int sites;
  private final int calls;
  private final String members;

  Shape(int sites, int calls, String members) {
    this.sites = sites;
    this.calls = calls;
    this.members = members;
  }

  /** The number of calls in the source, and of classes with method references. */
  int sites() {
    return sites;
  }

  /** The number of arenas that one run opens. */
  int calls() {
    return calls;
  }

  String source() {
    return """
    import java.lang.foreign.Arena;
    import java.util.function.Function;
    import java.util.function.Supplier;

    public class Sample implements Runnable {
    """
        + members
        + "}\n";
  }
}
