package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
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

  /** The budget, which stays if the agent leaves; null before it came, and without a limit. */
  private static RockpoolBudget budget;

  /** The most bytes that were in use whenever somebody looked, without a limit. */
  private static final AtomicLong HIGHEST = new AtomicLong();

  private RockpoolLimit() {}

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

  public static Arena ofJdk(int site) {
    RockpoolSite holder = RockpoolSite.get(site);
    return budget == null ? new Confined(holder) : RockpoolCountedArena.ofConfined(holder);
  }

  public static Arena ofShared(int site) {
    return RockpoolCountedArena.ofShared(RockpoolSite.get(site).ofProgram());
  }

  public static Arena ofAuto(int site) {
    return RockpoolCountedArena.ofAuto(RockpoolSite.get(site).ofProgram());
  }

  /** Returns the one global arena, whoever asks. */
  public static Arena global(int site) {
    return Global.ARENA;
  }

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

  /**
   * A confined arena of the JDK whose memory is only counted, by its owner and so without a cleanup
   * action. What the JDK does not free, because of an Error in an action, stays counted.
   */
  private static final class Confined extends RockpoolChargedAllocator implements Arena {
    private final Arena arena = Arena.ofConfined();
    private final Thread owner = Thread.currentThread();
    private final RockpoolSite site;
    private long charged;

    Confined(RockpoolSite site) {
      this.site = site;
    }

    @Override
    protected boolean mayAllocate() {
      return owner == Thread.currentThread() && arena.scope().isAlive();
    }

    @Override
    protected SegmentAllocator jdk() {
      return arena;
    }

    @Override
    protected void charge(long byteSize) {
      site.charge(byteSize);
      charged += byteSize;
    }

    @Override
    protected void takeBack(long byteSize) {
      charged -= byteSize;
      site.refund(byteSize);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      try {
        arena.close();
      } catch (RuntimeException refusedOrOfAnAction) {
        if (!arena.scope().isAlive()) {
          refund();
        }
        throw refusedOrOfAnAction;
      }
      refund();
    }

    private void refund() {
      long all = charged;
      charged = 0;
      site.refund(all);
    }
  }

  /** The account of the pool's blocks, which take a share of the limit at most. */
  private record OfPool(RockpoolSite site) implements RockpoolAccount {
    private static final int SHARE = 8;

    @Override
    public void charge(long byteSize) {
      site.charge(byteSize);
    }

    @Override
    public boolean tryCharge(long byteSize) {
      RockpoolUsability.requireStack(RockpoolUsability.REFUND_CALLS);
      return site.charged() + byteSize <= budget.limit() / SHARE && site.tryCharge(byteSize);
    }

    @Override
    public void refund(long byteSize, boolean isFound) {
      site.refund(byteSize, isFound);
    }
  }

  static final class Control implements RockpoolMemoryLimit, BooleanSupplier {
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
      if (byteSize == NONE) {
        count();
      } else if (budget == null) {
        budget = RockpoolBudget.ofAgent(byteSize, warns, waitNanos);
        budget.setHolders(RockpoolSite::chargedUntilCollected, RockpoolSite::largest);
        RockpoolBlockPool.accountOfShared = new OfPool(ofPool());
      }
      if (byteSize != NONE) {
        budget.changeLimit(byteSize); // which somebody may have changed
        budget.lift(false);
        RockpoolSite.limitBy(budget);
        RockpoolBudget.rehearse();
        RockpoolSite.largest();
        RockpoolHousekeeper.add(new RockpoolLimitEvents(this));
      }
      RockpoolAllocations.setBlind(false);
      RockpoolLinkedAllocators.prepare();
      if (poolsArenas) { // now, because a virtual thread must not wait for it later
        Objects.requireNonNull(RockpoolBlockPool.Shared.POOL);
      }
      RockpoolCleaner.tend();
    }

    private static RockpoolSite ofPool() {
      return RockpoolSite.find("blocks of the pool", RockpoolSite.Kind.POOL);
    }

    private void count() {
      RockpoolBlockPool.accountOfShared = ofPool();
      RockpoolSite.limitBy(RockpoolAccount.UNLIMITED);
      RockpoolHousekeeper.add(this);
    }

    @Override
    public boolean getAsBoolean() {
      look();
      return true;
    }

    private static long look() {
      long sum = 0;
      for (long each : RockpoolSite.chargedByKind().values()) {
        sum += each;
      }
      HIGHEST.accumulateAndGet(sum, Math::max);
      return sum;
    }

    @Override
    public void stop() {
      if (budget != null) {
        budget.lift(true);
      }
      RockpoolAllocations.setBlind(true);
    }

    @Override
    public long inUse() {
      return budget == null ? look() : budget.inUse();
    }

    @Override
    public long limit() {
      return budget == null ? NONE : budget.limit();
    }

    @Override
    public long refused() {
      return budget == null ? 0 : budget.refused();
    }

    @Override
    public void changeLimit(long byteSize) {
      budget.changeLimit(byteSize);
    }

    @Override
    public void setCeiling(long byteSize) {
      budget.setCeiling(byteSize);
    }

    @Override
    public void askForCollection() {
      budget.waiters().askForCollection();
    }

    @Override
    public void attachWatch(Supplier<String> figures, Runnable toldOfRefusals) {
      if (budget != null) { // else nothing is refused
        budget.attachWatch(figures, toldOfRefusals);
      }
    }

    @Override
    public Map<String, Long> figures() {
      if (budget == null) {
        long inUse = look();
        return Map.of("limit", 0L, "inUse", inUse, "highest", HIGHEST.get(), "refused", 0L);
      }
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
    public Map<String, Long> self() {
      boolean hasPool = Objects.requireNonNull(inUseByKind().get("pool")) > 0; // else not made
      return Map.of(
          "blocks",
          hasPool ? RockpoolArenaPool.shared().statistics().bytesKept() : 0,
          "tables",
          RockpoolSite.tableBytes() + RockpoolAllocations.tableBytes());
    }

    @Override
    public Map<String, Long> openOwners(int most) {
      return RockpoolSite.mostOwners(most);
    }

    @Override
    public void watch(long byteSize) {
      if (budget == null) {
        HIGHEST.set(look());
        RockpoolSite.watch(byteSize, Control::look);
      } else {
        budget.resetHighest();
        RockpoolSite.watch(byteSize, budget::inUse);
      }
    }

    @Override
    public Map<String, Long> watchedSites() {
      return RockpoolSite.watched();
    }
  }
}
