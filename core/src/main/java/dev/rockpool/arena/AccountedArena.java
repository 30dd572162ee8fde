package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * The JDK's arena behind a pooled one, where a limit bounds native memory. Each allocation is
 * charged before, and refunded once it was freed.
 *
 * @param account that of the site which opened the arena
 * @param lifetime that of the pooled arena
 */
record AccountedArena(Account account, Lifetime lifetime) implements SegmentAllocator {
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    Arena jdk = lifetime.ofJdk();
    long total =
        Request.isValid(byteSize, byteAlignment) ? Request.total(byteSize, byteAlignment) : -1;
    return allocateCharged(jdk, total, () -> jdk.allocate(byteSize, byteAlignment));
  }

  /** The inherited method refuses bad requests in other words than the JDK's arenas. */
  @Override
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    Arena jdk = lifetime.ofJdk();
    long byteSize = Request.byteSize(elementLayout, elementCount);
    return allocateCharged(
        jdk,
        byteSize < 0 ? -1 : Request.total(byteSize, elementLayout.byteAlignment()),
        () ->
            jdk.allocateFrom(
                elementLayout, source, sourceElementLayout, sourceOffset, elementCount));
  }

  /** Charges {@code total} bytes, then allocates. Negative is what the JDK will refuse. */
  private MemorySegment allocateCharged(Arena jdk, long total, Supplier<MemorySegment> allocation) {
    if (total < 0 || !lifetime.isOpenAndOwned()) {
      return allocation.get(); // throws the JDK's own exception
    }
    Refund refund = new Refund(account);
    Lifetime.tryRunAtEnd(jdk, refund); // pools need native access, so it is allowed
    account.charge(total);
    refund.byteSize = total; // by no call, in front of which the stack might end
    try {
      return allocation.get();
    } catch (RuntimeException | OutOfMemoryError failed) {
      refund.run();
      throw failed;
    }
  }

  /** Registered before the memory, so that it runs once that is freed. */
  private static final class Refund implements Runnable {
    private final Account account;
    long byteSize;

    Refund(Account account) {
      this.account = account;
    }

    @Override
    public void run() {
      long all = byteSize;
      byteSize = 0;
      account.refund(all);
    }
  }
}
