package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The JDK's arena behind a pooled one, where a limit bounds native memory. Each allocation is
 * charged before, and refunded once it was freed.
 *
 * @param account that of the site which opened the arena
 * @param lifetime that of the pooled arena
 */
record AccountedArena(Account account, Lifetime lifetime) implements Arena {
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    Arena jdk = lifetime.ofJdk();
    if (!Request.isValid(byteSize, byteAlignment) || !lifetime.isOpenAndOwned()) {
      return jdk.allocate(byteSize, byteAlignment); // throws the JDK's own exception
    }
    Refund refund = new Refund(account);
    Lifetime.tryRunAtEnd(jdk, refund); // pools need native access, so it is allowed
    long total = Request.total(byteSize, byteAlignment);
    account.charge(total);
    refund.byteSize = total;
    try {
      return jdk.allocate(byteSize, byteAlignment);
    } catch (OutOfMemoryError noMemory) {
      refund.run();
      throw noMemory;
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

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  /** Nobody calls it: the pooled arena closes the lifetime. */
  @Override
  public void close() {
    lifetime.close();
  }
}
