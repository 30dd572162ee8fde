package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Many small allocations, {@code count} times 64 bytes in one arena, as for a tree of structs. 16
 * of them fill two slabs of the default size, side by side; 64 go on in a larger one that all
 * threads share.
 *
 * <pre>
 * ./rockpool bench --filter ManyAllocations
 * </pre>
 */
public class ManyAllocations extends ArenaBenchmark {
  private static final int SIZE = 64;

  /** Allocations in the arena. */
  @Param({"16", "64"})
  public int count;

  private long allocate(SegmentAllocator allocator) {
    long addresses = 0;
    for (int i = 0; i < count; i++) {
      addresses += allocator.allocate(SIZE).address();
    }
    return addresses;
  }

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return allocate(arena);
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return allocate(arena);
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return allocate(arena);
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return allocate(arena);
    }
  }

  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long addresses = 0;
      for (int i = 0; i < count; i++) {
        addresses += stack.ncalloc(LWJGL_ALIGNMENT, 1, SIZE);
      }
      return addresses;
    }
  }
}
