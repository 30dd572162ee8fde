package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.util.function.Function;

/**
 * The arenas that have to behave alike: the JDK's own, which shows that a test states what the JDK
 * does, those of pools of several sizes, in the library and under the agent, and checked ones.
 */
enum ArenaKind {
  JDK(0, 0, 0, _ -> Arena.ofConfined()),
  OFF(0, 7, 4),
  SLAB_64_X1(64, 1, 0),
  SLAB_64_X7_SHARED_1(64, 7, 1),
  SLAB_512_X1_SHARED_4(512, 1, 4),
  SLAB_512_X7(512, 7, 0),
  SLAB_512_X7_SHARED_16(512, 7, 16),
  SLAB_4096_X7_SHARED_2(4096, 7, 2),
  SLAB_8192_X1_SHARED_2(8192, 1, 2),
  INLINED_64_X1_SHARED_1(64, 1, 1, ArenaKind::inlined),
  INLINED_512_X7_SHARED_16(512, 7, 16, ArenaKind::inlined),
  CHECKED(0, 0, 0, _ -> new CheckedArena(Checked.QUARANTINE));

  /** Small enough that what is closed is soon verified and freed. */
  private static final class Checked {
    static final Quarantine QUARANTINE = new Quarantine(1 << 20, 1000);
  }

  /** Without slabs, tests that go by their size use that of the default pool. */
  private static final int DEFAULT_SLAB = 512;

  private final int slabByteSize;
  private final int slabsPerThread;
  private final int sharedSlots;
  private final Function<Pool, Arena> opener;

  ArenaKind(int slabByteSize, int slabsPerThread, int sharedSlots) {
    this(slabByteSize, slabsPerThread, sharedSlots, Pool::open);
  }

  ArenaKind(int slabByteSize, int slabsPerThread, int sharedSlots, Function<Pool, Arena> opener) {
    this.slabByteSize = slabByteSize;
    this.slabsPerThread = slabsPerThread;
    this.sharedSlots = sharedSlots;
    this.opener = opener;
  }

  private static Arena inlined(Pool pool) {
    return new InlinedArena(pool, NativeMemory.confinedArena());
  }

  /** Whether platform threads have slabs. */
  boolean hasSlabs() {
    return slabByteSize != 0;
  }

  /** Bytes in a slab, or a usual number where there is none. */
  int slabByteSize() {
    return hasSlabs() ? slabByteSize : DEFAULT_SLAB;
  }

  int slabsPerThread() {
    return slabsPerThread;
  }

  int sharedSlots() {
    return sharedSlots;
  }

  /** A new pool of this kind, which nobody else uses. */
  TestPool newPool() {
    return new TestPool(Pool.of(slabByteSize, slabsPerThread, sharedSlots), this);
  }

  /**
   * A pool under test.
   *
   * @param pool never used if the arenas are the JDK's
   * @param kind which arenas it opens
   */
  record TestPool(Pool pool, ArenaKind kind) {
    Arena open() {
      return kind.opener.apply(pool);
    }

    /** The number of slabs that arenas own. */
    int owned() {
      return pool.owned();
    }

    /** Fails unless every free slab is zero, and more; call while no thread is at work. */
    void checkInvariants() {
      pool.checkInvariants();
      if (kind == CHECKED) {
        checkNothingFound(Checked.QUARANTINE);
      }
    }

    private static void checkNothingFound(Quarantine quarantine) {
      if (quarantine.overruns() + quarantine.lateWrites() != 0) {
        throw new AssertionError("memory was found damaged that is not: see standard error");
      }
    }

    /** Frees all memory but that of arenas that were not closed. */
    void free() {
      pool.registry().freeAll();
      pool.shared().freeAll();
      pool.larger().freeAll();
    }
  }
}
