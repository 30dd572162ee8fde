package dev.rockpool.direct;

import static java.util.Objects.requireNonNull;

import dev.rockpool.child.StackEnd;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Indexes and frees blocks as {@code invokeCleaner} does, without a look at the stack, where a
 * stack ends. Says what stays reserved after other threads have freed what was abandoned, and
 * whether buffers are found by their address alone.
 */
final class FreeStackProbe {
  private static final int WARM_UP = 50_000;
  private static final int ROUNDS = 240;
  private static final int FILLS = 12;

  /** From the C library, and kept. */
  private static final int[] BYTE_SIZES = {100, 5_000};

  private final DirectMemory memory = DirectMemory.ofLimit(1 << 30);
  private int overflows;

  private Block allocate(int round) {
    int byteSize = BYTE_SIZES[round % BYTE_SIZES.length];
    return requireNonNull(Blocks.find(memory.allocate(byteSize, 1).scope()));
  }

  /** Until all are indexed, a search finds a buffer by a wrong address, too. */
  private boolean indexes() throws Throwable {
    ByteBuffer owner = ByteBuffer.allocate(1);
    Block bare = new Block(memory, owner);
    bare.reserve(MemorySource.ALIGNMENT);
    long address = bare.allocate(MemorySource.ALIGNMENT);
    Blocks.indexByAddress(bare);
    overflows += StackEnd.reach(Blocks::indexBuffers, 0);
    boolean indexes =
        bare.equals(Blocks.find(owner, address))
            && Blocks.find(owner, address + MemorySource.ALIGNMENT) == null;
    bare.free();
    Reference.reachabilityFence(owner);
    return indexes;
  }

  private void run() throws Throwable {
    System.out.println("indexed=" + indexes());
    for (int round = 0; round < WARM_UP; round++) {
      allocate(round).free();
    }
    for (int round = 0; round < ROUNDS; round++) {
      Block block = allocate(round);
      overflows += StackEnd.reach(block::free, round % FILLS);
    }
    Blocks.freeAbandoned();
    System.out.println("overflows=" + overflows);
    System.out.println("lost=" + memory.reserved());
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(() -> new FreeStackProbe().run());
  }
}
