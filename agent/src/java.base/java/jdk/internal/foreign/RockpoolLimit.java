package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;
import sun.nio.ch.DirectBuffer;

/**
 * Arenas and buffers of call sites under one limit, with option {@code limit}. Each method takes
 * the number of the site. The memory is the JDK's, and charged before the JDK allocates it.
 *
 * <p>A pooled arena costs the same as without a limit: each site has a view of the pool, which
 * knows the site that is charged for what does not fit the pool.
 */
public final class RockpoolLimit {
  /** The shared pool as each site sees it. A constant to the compilers, once it is there. */
  @Stable
  private static final RockpoolBlockPool[] POOLS = new RockpoolBlockPool[RockpoolSite.CAPACITY];

  /** The budget, which stays if the agent leaves; null before it came. */
  private static RockpoolBudget budget;

  private RockpoolLimit() {}

  /** Opens an arena of the pool. */
  @ForceInline
  public static Arena ofConfined(int site) {
    RockpoolBlockPool pool = POOLS[site];
    return pool != null ? pool.open(RockpoolLifetime.open()) : openOtherwise(site);
  }

  /** Opens a site's first arena, or one that can't be pooled. */
  private static Arena openOtherwise(int site) {
    RockpoolBlockPool shared = RockpoolBlockPool.Shared.POOL;
    if (shared.blockByteSize() == 0) {
      return shared.state() == RockpoolPoolStatistics.State.CHECKED ? shared.open() : ofJdk(site);
    }
    RockpoolBlockPool pool = shared.heldBy(RockpoolSite.get(site));
    POOLS[site] = pool;
    return pool.open(RockpoolLifetime.open());
  }

  /** Opens a confined arena of the JDK. */
  public static Arena ofJdk(int site) {
    return RockpoolCountedArena.ofConfined(RockpoolSite.get(site));
  }

  /** Opens a shared arena. */
  public static Arena ofShared(int site) {
    return RockpoolCountedArena.ofShared(RockpoolSite.get(site).ofProgram());
  }

  /** Opens an automatic arena. */
  public static Arena ofAuto(int site) {
    return RockpoolCountedArena.ofAuto(RockpoolSite.get(site).ofProgram());
  }

  /** Returns the one global arena, whoever asks. */
  public static Arena global(int site) {
    return Global.ARENA;
  }

  /** Allocates a direct buffer of the JDK's. */
  public static ByteBuffer allocateDirect(int capacity, int site) {
    if (capacity <= 0) {
      return ByteBuffer.allocateDirect(capacity);
    }
    RockpoolAllocations.Taken taken =
        RockpoolAllocations.charge(
            capacity + RockpoolCleaner.paddingOfBuffers(), RockpoolSite.get(site).ofProgram());
    long address = 0;
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
      address = ((DirectBuffer) buffer).address();
      return buffer;
    } finally {
      RockpoolAllocations.took(address, taken);
    }
  }

  /**
   * The global arena, whose memory is never refunded. One for all sites, because programs compare
   * by identity; so the line that allocates is the site, for which the stack is walked.
   */
  private static final class Global extends RockpoolChargedAllocator implements Arena {
    static final Global ARENA = new Global();

    @Override
    protected boolean mayAllocate() {
      return true;
    }

    @Override
    protected SegmentAllocator jdk() {
      return Arena.global();
    }

    @Override
    protected void charge(long byteSize) {
      RockpoolUsability.requireStack(RockpoolUsability.WAIT_CALLS); // for the classes of a walk
      site().charge(byteSize);
    }

    @Override
    protected void takeBack(long byteSize) {
      site().refund(byteSize);
    }

    private static RockpoolSite site() {
      return RockpoolSite.find(RockpoolCallers.stack(1).text(), RockpoolSite.Kind.GLOBAL);
    }

    @Override
    public MemorySegment.Scope scope() {
      return Arena.global().scope();
    }

    /** Throws the JDK's own exception. */
    @Override
    public void close() {
      Arena.global().close();
    }
  }

  /** The account of the pool's blocks, which take a share of the limit at most. */
  private record OfPool(RockpoolSite site, long most) implements RockpoolAccount {
    private static final int SHARE = 8;

    @Override
    public void charge(long byteSize) {
      site.charge(byteSize);
    }

    @Override
    public boolean tryCharge(long byteSize) {
      RockpoolUsability.requireStack(RockpoolUsability.REFUND_CALLS);
      return site.charged() + byteSize <= most && site.tryCharge(byteSize);
    }

    @Override
    public void refund(long byteSize, boolean isFound) {
      site.refund(byteSize, isFound);
    }
  }

  /** The limit as the agent sees it. */
  static final class Control implements RockpoolMemoryLimit {
    @Override
    public void start(
        long byteSize,
        boolean warns,
        long waitNanos,
        boolean poolsArenas,
        Predicate<String> covers,
        Predicate<String> skipped) {
      RockpoolLinkedAllocators.covers = covers;
      RockpoolCallers.skipped = skipped;
      if (budget == null) {
        budget = RockpoolBudget.ofAgent(byteSize, warns, waitNanos);
        budget.serveFrom(null, RockpoolSite::chargedUntilCollected, RockpoolSite::largest);
        RockpoolBlockPool.accountOfShared =
            new OfPool(
                RockpoolSite.find("blocks of the pool", RockpoolSite.Kind.POOL),
                byteSize / OfPool.SHARE);
      }
      budget.lift(false);
      RockpoolAllocations.setBlind(false);
      RockpoolSite.limitBy(budget);
      RockpoolLinkedAllocators.prepare();
      RockpoolBudget.rehearse();
      RockpoolSite.largest();
      if (poolsArenas) { // now, because a virtual thread must not wait for it later
        Objects.requireNonNull(RockpoolBlockPool.Shared.POOL);
      }
      RockpoolCleaner.tend();
      RockpoolHousekeeper.add(new RockpoolLimitEvents(this));
    }

    @Override
    public void stop() {
      budget.lift(true);
      RockpoolAllocations.setBlind(true);
    }

    @Override
    public Map<String, Long> figures() {
      return Map.of(
          "limit", budget.limit(),
          "inUse", budget.inUse(),
          "highest", budget.highest(),
          "refused", budget.refused());
    }

    @Override
    public Map<String, Long> inUseByKind() {
      return RockpoolSite.chargedByKind();
    }

    @Override
    public Map<String, Long> largestSites(int most) {
      return RockpoolSite.largest(most);
    }

    @Override
    public void watch(long byteSize) {
      budget.resetHighest();
      RockpoolSite.watch(byteSize, budget::inUse);
    }

    @Override
    public Map<String, Long> watchedSites() {
      return RockpoolSite.watched();
    }
  }
}
