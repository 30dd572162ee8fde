package dev.rockpool.arena;

import java.lang.foreign.Arena;
import java.util.function.Function;

/**
 * The arenas that have to behave alike: the JDK's own, which shows that a test states what the JDK
 * does, and those of pools of several sizes, in the library and under the agent.
 */
enum ArenaKind {
  JDK(0, 0, _ -> Arena.ofConfined()),
  OFF(0, 7),
  SLAB_64_X1(64, 1),
  SLAB_64_X7(64, 7),
  SLAB_512_X1(512, 1),
  SLAB_512_X7(512, 7),
  SLAB_4096_X1(4096, 1),
  SLAB_4096_X7(4096, 7),
  INLINED_64_X1(64, 1, InlinedArena::new),
  INLINED_512_X7(512, 7, InlinedArena::new);

  /** Where there is no slab, tests that go by its size use that of the default pool. */
  private static final int DEFAULT_SLAB = 512;

  private final int slabByteSize;
  private final int slabsPerThread;
  private final Function<SlabTable, Arena> opener;

  ArenaKind(int slabByteSize, int slabsPerThread) {
    this(slabByteSize, slabsPerThread, SlabTable::open);
  }

  ArenaKind(int slabByteSize, int slabsPerThread, Function<SlabTable, Arena> opener) {
    this.slabByteSize = slabByteSize;
    this.slabsPerThread = slabsPerThread;
    this.opener = opener;
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

  /** A new pool of this kind, which nobody else uses. */
  TestPool newPool() {
    return new TestPool(SlabTable.of(slabByteSize, slabsPerThread), this);
  }

  /**
   * A pool under test.
   *
   * @param table never used if the arenas are the JDK's
   * @param kind which arenas it opens
   */
  record TestPool(SlabTable table, ArenaKind kind) {
    Arena open() {
      return switch (kind) {
        case JDK -> Arena.ofConfined();
        case INLINED_512_X7 -> new InlinedArena(table);
        default -> table.open();
      };
    }

    /** How many slabs are in the hands of arenas. */
    int owned() {
      return table.registry().owned();
    }

    /** Fails unless every free slab is zero, and more; call while no thread is at work. */
    void checkInvariants() {
      table.registry().checkInvariants();
    }

    /** Frees the memory of threads all of whose arenas were closed. */
    void free() {
      table.registry().freeAll();
    }
  }
}
