package dev.rockpool.arena;

import java.lang.foreign.Arena;
import java.util.function.Function;

/**
 * The arenas that have to behave alike: the JDK's own, which shows that a test states what the JDK
 * does, those of pools of several sizes, and checked ones.
 */
enum ArenaKind {
  JDK(0, 0, _ -> Arena.ofConfined()),
  OFF(0, 8),
  BLOCK_64_X1(64, 1),
  BLOCK_512_X8(512, 8),
  BLOCK_4096_X2(4096, 2),
  CHECKED(0, 0, _ -> new CheckedArena(Checked.QUARANTINE));

  /** Small enough that closed memory is soon verified and freed. */
  private static final class Checked {
    static final Quarantine QUARANTINE = new Quarantine(1 << 20, 1000);
  }

  /** Where there are no blocks, tests that depend on the size use the default. */
  private static final int DEFAULT_BLOCK = 512;

  private final int blockByteSize;
  private final int blocksPerThread;
  private final Function<BlockPool, Arena> opener;

  ArenaKind(int blockByteSize, int blocksPerThread) {
    this(blockByteSize, blocksPerThread, BlockPool::open);
  }

  ArenaKind(int blockByteSize, int blocksPerThread, Function<BlockPool, Arena> opener) {
    this.blockByteSize = blockByteSize;
    this.blocksPerThread = blocksPerThread;
    this.opener = opener;
  }

  boolean hasBlocks() {
    return blockByteSize != 0;
  }

  /** Bytes in a block, or a usual number where there is none. */
  int blockByteSize() {
    return hasBlocks() ? blockByteSize : DEFAULT_BLOCK;
  }

  /** A new pool of this kind, which nobody else uses. */
  TestPool newPool() {
    return new TestPool(BlockPool.of(blockByteSize, blocksPerThread), this);
  }

  /**
   * A pool under test.
   *
   * @param pool never used if the arenas are the JDK's
   * @param kind which arenas it opens
   */
  record TestPool(BlockPool pool, ArenaKind kind) {
    Arena open() {
      return kind.opener.apply(pool);
    }

    /** Fails unless all kept memory is zero; call while no thread is at work. */
    void checkInvariants() {
      pool.memory().checkInvariants();
      Quarantine quarantine = Checked.QUARANTINE;
      if (kind == CHECKED && quarantine.overruns() + quarantine.lateWrites() != 0) {
        throw new AssertionError("memory was found damaged that is not: see standard error");
      }
    }

    /** Frees all kept memory. */
    void free() {
      pool.memory().freeAll();
    }
  }
}
