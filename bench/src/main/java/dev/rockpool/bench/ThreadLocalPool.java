package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A rival: a pool of native memory as people write it by hand, in a few lines of public API.
 *
 * <p>Each thread keeps a stack of blocks. An arena takes one when it opens, cuts segments from it
 * that end with a confined arena, and when it closes clears what it used with {@code fill} and puts
 * the block back. Requests that do not fit go to the confined arena. The pool keeps the promises of
 * a confined arena for programs that behave. The pool ignores misuse (bad arguments, a cleanup
 * action that throws), and is faster for that.
 */
@SuppressWarnings("restricted")
final class ThreadLocalPool implements Arena {
  private static final int BLOCK_BYTE_SIZE = 4096;
  private static final int ALIGNMENT = 16;

  private static final ThreadLocal<Deque<MemorySegment>> BLOCKS =
      ThreadLocal.withInitial(ArrayDeque::new);

  private final Arena lifetime = Arena.ofConfined();
  private final Deque<MemorySegment> blocks;
  private final MemorySegment block;
  private long used;

  private ThreadLocalPool(Deque<MemorySegment> blocks) {
    this.blocks = blocks;
    @Nullable MemorySegment pooled = blocks.poll();
    this.block = pooled != null ? pooled : Arena.ofAuto().allocate(BLOCK_BYTE_SIZE, ALIGNMENT);
  }

  static Arena open() {
    return new ThreadLocalPool(BLOCKS.get());
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long start = (used + byteAlignment - 1) & -byteAlignment;
    if (byteAlignment > ALIGNMENT || byteSize > BLOCK_BYTE_SIZE - start) {
      return lifetime.allocate(byteSize, byteAlignment);
    }
    used = start + byteSize;
    return block.asSlice(start, byteSize).reinterpret(lifetime, null);
  }

  @Override
  public Scope scope() {
    return lifetime.scope();
  }

  @Override
  public void close() {
    lifetime.close();
    block.asSlice(0, used).fill((byte) 0);
    blocks.push(block);
  }
}
