package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * An arena that is opened some calls below the method that C2 compiles, as in programs. C2 inlines
 * 15 calls deep; if the arena's life is deeper, the arena is an object.
 */
public abstract class CallDepth extends ArenaBenchmark {
  /** Calls between the compiled method and the one that opens the arena. */
  @Param({"4", "5", "6", "7", "8", "9"})
  public int calls;

  abstract long use(Arena arena);

  @Benchmark
  public long jdk() {
    return open(true);
  }

  @Benchmark
  public long rockpool() {
    return open(false);
  }

  private long open(boolean ofJdk) {
    return switch (calls) {
      case 4 -> in4(ofJdk);
      case 5 -> in5(ofJdk);
      case 6 -> in6(ofJdk);
      case 7 -> in7(ofJdk);
      case 8 -> in8(ofJdk);
      case 9 -> in9(ofJdk);
      default -> throw new IllegalArgumentException("calls=" + calls);
    };
  }

  private long in4(boolean ofJdk) {
    return in3(ofJdk);
  }

  private long in3(boolean ofJdk) {
    return in2(ofJdk);
  }

  private long in2(boolean ofJdk) {
    try (Arena arena = ofJdk ? Arena.ofConfined() : Arenas.ofConfined()) {
      return use(arena);
    }
  }

  private long in5(boolean ofJdk) {
    return in4(ofJdk);
  }

  private long in6(boolean ofJdk) {
    return in5(ofJdk);
  }

  private long in7(boolean ofJdk) {
    return in6(ofJdk);
  }

  private long in8(boolean ofJdk) {
    return in7(ofJdk);
  }

  private long in9(boolean ofJdk) {
    return in8(ofJdk);
  }

  /** Bytes that a function fills in. */
  public static class OfBytes extends CallDepth {
    @Override
    long use(Arena arena) {
      MemorySegment segment = arena.allocate(16);
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 1);
      return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }
  }

  /** A string that a function reads. */
  public static class OfText extends CallDepth {
    private String text = "hello";

    @Override
    long use(Arena arena) {
      return arena.allocateFrom(text).get(ValueLayout.JAVA_BYTE, 0);
    }
  }
}
