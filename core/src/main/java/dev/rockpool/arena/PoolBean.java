package dev.rockpool.arena;

import dev.rockpool.internal.MBeans;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Implements {@link ArenaPoolMXBean} for a pool. */
final class PoolBean implements ArenaPoolMXBean {
  /** How long a snapshot serves: making one takes locks and frees memory of ended threads. */
  private static final long SNAPSHOT_NANOS = 100_000_000;

  private final Pool pool;
  private @Nullable PoolStatistics snapshot;
  private long taken;

  private PoolBean(Pool pool) {
    this.pool = pool;
  }

  /**
   * Registers an MBean with the platform MBean server.
   *
   * @return false if the caller should try again
   */
  static boolean register(Pool pool, String name) throws JMException {
    return MBeans.register(new PoolBean(pool), ArenaPoolMXBean.class, new ObjectName(name));
  }

  /** Returns a snapshot for the attributes that an observer reads one by one. */
  private synchronized PoolStatistics statistics() {
    long now = System.nanoTime();
    PoolStatistics known = snapshot;
    if (known == null || now - taken > SNAPSHOT_NANOS) {
      known = pool.statistics();
      snapshot = known;
      taken = now;
    }
    return known;
  }

  @Override
  public String getState() {
    return statistics().state().name();
  }

  @Override
  public long getSlabByteSize() {
    return pool.slabByteSize();
  }

  @Override
  public int getSlabsPerThread() {
    return pool.slabsPerThread();
  }

  @Override
  public int getSharedSlots() {
    return pool.shared().slots();
  }

  @Override
  public boolean isServingVirtualThreads() {
    return pool.slabByteSize() != 0 && !pool.admission().leavesVirtualThreads;
  }

  @Override
  public long getArenasClosed() {
    return statistics().arenasClosed();
  }

  @Override
  public long getServedFromSlab() {
    return statistics().servedFromSlab();
  }

  @Override
  public long getTooLarge() {
    return statistics().tooLarge();
  }

  @Override
  public long getNoneLeft() {
    return statistics().noneLeft();
  }

  @Override
  public long getFirstOfThread() {
    return statistics().firstOfThread();
  }

  @Override
  public long getBytesHeld() {
    return statistics().bytesHeld();
  }

  @Override
  public int getThreads() {
    return statistics().threads();
  }

  @Override
  public long getOverruns() {
    return statistics().overruns();
  }

  @Override
  public long getLateWrites() {
    return statistics().lateWrites();
  }
}
