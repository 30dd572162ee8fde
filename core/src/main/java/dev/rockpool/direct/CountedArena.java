package dev.rockpool.direct;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Request;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A confined, shared or automatic arena of the JDK, whose lifetime and memory stay the JDK's.
 * Charges bytes before each allocation. A cleanup action of the JDK's arena refunds all of them,
 * after the JDK has freed the memory, however the arena ends. If an Error keeps the JDK from
 * freeing the rest, the action is not reached, and the bytes stay charged.
 *
 * <p>The sum has the bytes of an allocation once they are charged, and no stack ends in between.
 */
final class CountedArena implements Arena {
  private final Account account;
  private final Arena arena;
  private final @Nullable Thread owner;
  private final Sum sum;

  private CountedArena(Account account, Arena arena, @Nullable Thread owner, boolean isAutomatic) {
    this.account = account;
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
  private static final class Sum extends AtomicLong implements Runnable {
    private static final long serialVersionUID = 0;
    private static final long REFUNDED = Long.MIN_VALUE;

    private final transient Account account;
    private final boolean isAutomatic;

    /** What the owner of a confined arena adds, by no call, in front of which the stack may end. */
    private long byOwner;

    /** Whether this is a cleanup action of the arena. Written with the monitor of this. */
    private volatile boolean isRegistered;

    Sum(Account account, boolean isAutomatic) {
      this.account = account;
      this.isAutomatic = isAutomatic;
    }

    /**
     * Call before the first allocation, so that it runs after all memory was freed.
     *
     * @throws IllegalCallerException if that needs native access, which is denied
     */
    void registerOnce(Arena arena) {
      if (!isRegistered) {
        synchronized (this) {
          if (!isRegistered && Lifetime.tryRunAtEnd(arena, this)) {
            isRegistered = true;
          } else if (isAutomatic) {
            Obstacle.ofThisJvm().check();
          }
        }
      }
    }

    /** Returns false if the arena has ended meanwhile, which has refunded all that was added. */
    boolean tryAdd(long byteSize) {
      for (long now = get(); now != REFUNDED; now = get()) {
        if (compareAndSet(now, now + byteSize)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void run() {
      long added = getAndSet(REFUNDED);
      if (added == REFUNDED) {
        return; // closed twice
      }
      long all = added + byOwner;
      if (isAutomatic) {
        account.refundFound(all);
      } else {
        account.refund(all);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean mayAllocate() {
    return (owner == null || owner == Thread.currentThread()) && arena.scope().isAlive();
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long total =
        Request.isValid(byteSize, byteAlignment) ? Request.total(byteSize, byteAlignment) : -1;
    return allocateCharged(total, () -> arena.allocate(byteSize, byteAlignment));
  }

  /** The inherited method refuses bad requests in other words than the JDK's arenas. */
  @Override
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    Objects.requireNonNull(source);
    Objects.requireNonNull(sourceElementLayout);
    Objects.requireNonNull(elementLayout);
    long byteSize = Request.byteSize(elementLayout, elementCount);
    return allocateCharged(
        byteSize < 0 ? -1 : Request.total(byteSize, elementLayout.byteAlignment()),
        () ->
            arena.allocateFrom(
                elementLayout, source, sourceElementLayout, sourceOffset, elementCount));
  }

  /** Charges {@code total} bytes, then allocates. Negative is what the JDK will refuse. */
  private MemorySegment allocateCharged(long total, Supplier<MemorySegment> allocation) {
    if (total < 0 || !mayAllocate()) {
      return allocation.get(); // throws the JDK's own exception
    }
    sum.registerOnce(arena);
    if (owner != null) {
      account.charge(total);
      sum.byOwner += total;
    } else {
      Usability.requireStack(Usability.REFUND_CALLS); // which the owner does not need
      account.charge(total);
      if (!sum.tryAdd(total)) {
        account.refund(total);
      }
    }
    try {
      return allocation.get();
    } catch (RuntimeException | OutOfMemoryError failed) {
      if (sum.tryAdd(-total)) {
        account.refund(total);
      }
      throw failed;
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /** Without native access, the library knows the end by this alone. */
  @Override
  public void close() {
    MemorySegment.Scope scope = arena.scope();
    try {
      arena.close();
    } finally {
      if (!sum.isRegistered && !scope.isAlive()) { // a cleanup action may have thrown
        sum.run();
      }
    }
  }
}
