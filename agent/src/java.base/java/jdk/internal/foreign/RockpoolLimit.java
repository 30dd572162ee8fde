package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Arenas and buffers of call sites under one limit, which is that of the global direct memory. Used
 * with option {@code limit}. Each method takes the number of the site's holder.
 *
 * <p>A pooled arena costs the same as without a limit: each site has a view of the pool, which
 * knows the holder of what does not fit the pool.
 */
public final class RockpoolLimit {
  private static final RockpoolDirectMemory MEMORY = RockpoolDirectMemory.global();

  /** The shared pool as each site sees it. A constant to the compilers, once it is there. */
  @Stable
  private static final RockpoolBlockPool[] POOLS = new RockpoolBlockPool[RockpoolHolders.CAPACITY];

  /** Whether an agent has started the limit, which stays if that agent leaves. */
  private static boolean isStarted;

  private RockpoolLimit() {}

  /** Opens an arena of the pool. */
  @ForceInline
  public static Arena ofConfined(int holder) {
    RockpoolBlockPool pool = POOLS[holder];
    return pool != null ? pool.open(RockpoolLifetime.open()) : openOtherwise(holder);
  }

  /** Opens a site's first arena, or one that can't be pooled. */
  private static Arena openOtherwise(int holder) {
    RockpoolBlockPool shared = RockpoolBlockPool.Shared.POOL;
    if (shared.blockByteSize() == 0) {
      return confined(holder, shared.openWithoutBlocks());
    }
    RockpoolBlockPool pool = shared.heldBy(holder(holder));
    POOLS[holder] = pool;
    return pool.open(RockpoolLifetime.open());
  }

  /** Opens a confined arena of the JDK. */
  public static Arena ofJdk(int holder) {
    return confined(holder, Arena.ofConfined());
  }

  private static Arena confined(int holder, Arena arena) {
    return new RockpoolBudgetedArena(holder(holder), arena, Thread.currentThread());
  }

  /** Opens a shared arena. */
  public static Arena ofShared(int holder) {
    return new RockpoolBudgetedArena(holder(holder), Arena.ofShared(), null);
  }

  /** Opens an automatic arena, which has memory of ours if this JVM lets us. */
  public static Arena ofAuto(int holder) {
    Arena arena = Arena.ofAuto();
    return RockpoolObstacle.ofThisJvm() == RockpoolObstacle.NONE
        ? new RockpoolBudgetedArena.Automatic(holder(holder), arena)
        : arena;
  }

  /** Returns the one global arena, whoever asks. */
  public static Arena global(int holder) {
    return Global.ARENA;
  }

  /** Allocates a direct buffer. */
  public static ByteBuffer allocateDirect(int capacity, int holder) {
    return RockpoolBuffers.allocateHeld(capacity, holder(holder));
  }

  private static RockpoolHolder holder(int number) {
    return MEMORY.holders().get(number);
  }

  /** Returns the holder of that kind for a line of the program. */
  static RockpoolHolder holder(String kind, String name) {
    return holder(MEMORY.holders().number(kind, name));
  }

  /**
   * The global arena, whose memory is never credited. One for all sites, because programs compare
   * by identity; so the line that allocates is the holder, for which the stack is walked.
   */
  private static final class Global implements Arena {
    static final Global ARENA = new Global();

    private final Arena arena = Arena.global();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      if (!RockpoolRequest.isValid(byteSize, byteAlignment)) {
        return arena.allocate(byteSize, byteAlignment); // throws the JDK's own exception
      }
      long total = RockpoolRequest.total(byteSize, byteAlignment);
      RockpoolHolder holder = holder("global", RockpoolCallers.stack(1).text());
      holder.reserve(total);
      boolean allocated = false;
      try {
        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
        allocated = true;
        return segment;
      } finally {
        if (!allocated) {
          holder.credit(total);
        }
      }
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    /** Throws the JDK's own exception. */
    @Override
    public void close() {
      arena.close();
    }
  }

  /** Finds the holders of memory that is taken by address. */
  private static final class Accounts implements BiFunction<String, String, RockpoolAccount> {
    @Override
    public RockpoolAccount apply(String kind, String line) {
      return RockpoolLimit.holder(kind, line);
    }
  }

  /** The limit as the agent sees it. */
  static final class Control implements RockpoolMemoryLimit {
    @Override
    public void start(long byteSize, boolean warns, boolean poolsArenas, Predicate<String> covers) {
      RockpoolDirectMemory.global(RockpoolBudget.ofAgent(byteSize, warns));
      RockpoolLinkedAllocators.covers = covers;
      if (isStarted) {
        return;
      }
      isStarted = true;
      RockpoolHolders holders = MEMORY.holders();
      RockpoolBlockPool.accountOfShared = holders.get(holders.number("pool", "blocks of the pool"));
      RockpoolLinkedAllocators.prepare();
      RockpoolAllocations.accounts = new Accounts();
      if (poolsArenas) { // now, because a virtual thread must not wait for it later
        Objects.requireNonNull(RockpoolBlockPool.Shared.POOL);
      }
      RockpoolHousekeeper.add(new RockpoolDirectMonitor.Recording(MEMORY));
    }

    @Override
    public int holder(String kind, String name) {
      return MEMORY.holders().number(kind, RockpoolCallers.shortened(name));
    }

    @Override
    public Map<String, Long> figures() {
      RockpoolBudget budget = MEMORY.budget();
      return Map.of(
          "limit", budget.limit(),
          "inUse", budget.taken(),
          "highest", budget.highest(),
          "refused", budget.refused());
    }

    @Override
    public Map<String, Long> inUseByKind() {
      return MEMORY.takenByKind();
    }
  }
}
