package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One small allocation in one arena, in a program where other arenas were hot before, as they are
 * in most: what C2 has compiled for those, it may not inline here.
 */
public class BesideOtherArenas extends Contestants {
  private static final int ROUNDS = 50_000;
  private static final long BYTE_SIZE = 20;
  private static final long SLICED = 64;

  @Param public Others others = Others.NONE;

  /** The arenas that were hot before. */
  public enum Others {
    NONE,
    CONFINED,
    SHARED,
    AUTOMATIC,
    SLICING
  }

  @Setup
  public void warmUpOthers(Blackhole hole) {
    try (Arena arenaOfSlices = Arena.ofConfined()) {
      // Once: an arena that outgrows its block has the agent's fallback compiled, too.
      MemorySegment sliced = arenaOfSlices.allocate(SLICED);
      for (int i = 0; i < ROUNDS; i++) {
        switch (others) {
          case NONE -> {}
          case CONFINED -> {
            // The JDK's own, under the agent, too: as in classes that the agent leaves alone.
            try (Arena arena = new Wrapper(Arena.ofConfined())) {
              warmUp(arena, hole);
            }
          }
          case SHARED -> {
            // Its close takes long.
            if (i % 10 == 0) {
              try (Arena arena = Arena.ofShared()) {
                warmUp(arena, hole);
              }
            }
          }
          case AUTOMATIC -> warmUp(Arena.ofAuto(), hole);
          case SLICING -> warmUp(SegmentAllocator.prefixAllocator(sliced), hole);
        }
      }
    }
  }

  /** A program's own arena, which has all of the interface's default methods. */
  private record Wrapper(Arena arena) implements Arena {
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  private static void warmUp(SegmentAllocator allocator, Blackhole hole) {
    hole.consume(allocator.allocate(BYTE_SIZE));
    hole.consume(allocator.allocate(ValueLayout.JAVA_LONG));
  }

  @Override
  long use(Arena arena) {
    return arena.allocate(BYTE_SIZE).address();
  }
}
