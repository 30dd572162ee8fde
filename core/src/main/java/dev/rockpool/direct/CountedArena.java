package dev.rockpool.direct;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.ChargedAllocator;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Refund;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A confined, shared or automatic arena of the JDK, whose lifetime and memory stay the JDK's.
 * Charges bytes before each allocation. A cleanup action of the JDK's arena refunds all of them,
 * after the JDK has freed the memory, however the arena ends. If an Error keeps the JDK from
 * freeing the rest, the action is not reached, and the bytes stay charged.
 */
final class CountedArena extends ChargedAllocator implements Arena {
  private final Arena arena;
  private final @Nullable Thread owner;
  private final Sum sum;

  private CountedArena(Account account, Arena arena, @Nullable Thread owner, boolean isAutomatic) {
    this.arena = arena;
    this.owner = owner;
    this.sum = new Sum(account, isAutomatic);
  }

  /** Opens an arena for the current thread. */
  static Arena ofConfined(Account account) {
    return new CountedArena(account, Arena.ofConfined(), Thread.currentThread(), false);
  }

  static Arena ofShared(Account account) {
    return new CountedArena(account, Arena.ofShared(), null, false);
  }

  static Arena ofAuto(Account account) {
    return new CountedArena(account, Arena.ofAuto(), null, true);
  }

  /**
   * The bytes that an arena holds; the cleanup action that refunds them. Does not refer to the
   * arena, which would keep an automatic one reachable.
   */
  private static final class Sum extends Refund {
    private static final long serialVersionUID = 0;

    /** Whether this is a cleanup action of the arena. Written with the monitor of this. */
    private volatile boolean isRegistered;

    Sum(Account account, boolean isAutomatic) {
      super(account);
      isFound = isAutomatic;
    }

    /** Call before the first allocation, so that it runs after all memory was freed. */
    void registerOnce(Arena arena) {
      if (!isRegistered) {
        synchronized (this) {
          if (!isRegistered) {
            Lifetime.runAtEnd(arena, this);
            isRegistered = true;
          }
        }
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @Override
  protected boolean mayAllocate() {
    return (owner == null || owner == Thread.currentThread()) && arena.scope().isAlive();
  }

  @Override
  protected SegmentAllocator jdk() {
    return arena;
  }

  @Override
  protected void charge(long byteSize) {
    sum.registerOnce(arena);
    if (owner != null) {
      sum.account.charge(byteSize);
      sum.charged += byteSize;
      return;
    }
    Usability.requireStack(Usability.REFUND_CALLS);
    sum.account.charge(byteSize);
    if (!sum.tryAdd(byteSize)) {
      sum.account.refund(byteSize);
    }
  }

  @Override
  protected void takeBack(long byteSize) {
    if (owner != null) {
      sum.charged -= byteSize;
      sum.account.refund(byteSize);
    } else if (sum.tryAdd(-byteSize)) {
      sum.account.refund(byteSize);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    arena.close();
  }
}
