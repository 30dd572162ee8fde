package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A confined or shared arena of the JDK, whose lifetime and memory stay the JDK's. What it
 * allocates is reserved before, and credited once it is closed.
 *
 * <p>{@code allocated} is what is to be credited: of a shared arena any thread may allocate while
 * another one closes it, so whoever sets it to {@link #CREDITED} does all of it, and from then on
 * nothing is added.
 */
final class BudgetedArena implements Arena {
  private static final long CREDITED = -1;

  private final Budget budget;
  private final KeptMemory source;
  private final Arena arena;
  private final @Nullable Thread owner;
  private final AtomicLong allocated = new AtomicLong();

  /**
   * An open arena.
   *
   * @param owner the one thread that may use it, or null if any may
   */
  BudgetedArena(DirectMemory memory, Arena arena, @Nullable Thread owner) {
    this.budget = memory.budget();
    this.source = memory.source();
    this.arena = arena;
    this.owner = owner;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean valid = byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
    boolean foreign = owner != null && !owner.equals(Thread.currentThread());
    if (!valid || foreign || !scope().isAlive()) {
      // Throws what it always did, before anything is waited for.
      return arena.allocate(byteSize, byteAlignment);
    }
    long total = Block.byteSizeFor(byteSize, byteAlignment);
    budget.reserve(total);
    if (!add(total)) {
      budget.credit(total);
      return arena.allocate(byteSize, byteAlignment);
    }
    boolean done = false;
    try {
      source.makeRoom();
      MemorySegment segment = arena.allocate(byteSize, byteAlignment);
      done = true;
      return segment;
    } finally {
      if (!done && add(-total)) {
        budget.credit(total);
      }
    }
  }

  /** Says no if whoever closed this has credited everything. */
  private boolean add(long byteSize) {
    long now = allocated.get();
    while (now != CREDITED && !allocated.compareAndSet(now, now + byteSize)) {
      now = allocated.get();
    }
    return now != CREDITED;
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * One after the other: a second thread must not find the arena closed, and credit what the first
   * one is still freeing. The arena may be closed although closing throws, as a cleanup action did.
   */
  @Override
  public synchronized void close() {
    boolean wasAlive = scope().isAlive();
    try {
      arena.close();
    } finally {
      if (wasAlive && !scope().isAlive()) {
        budget.credit(allocated.getAndSet(CREDITED));
      }
    }
  }

  @Override
  public String toString() {
    return arena + " within " + budget.reserved() + " of " + budget.limit() + " bytes";
  }
}
