package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.ChargedAllocator;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Refund;
import java.lang.foreign.SegmentAllocator;

/**
 * The JDK's arena behind a pooled one, where a limit bounds native memory. Made for one allocation,
 * which is charged to the site that opened the arena.
 */
final class AccountedArena extends ChargedAllocator {
  private final Lifetime lifetime;
  private final Refund refund;

  AccountedArena(Account account, Lifetime lifetime) {
    this.lifetime = lifetime;
    refund = new Refund(account);
  }

  @Override
  protected boolean mayAllocate() {
    return lifetime.isOpenAndOwned();
  }

  @Override
  protected SegmentAllocator jdk() {
    return lifetime.ofJdk();
  }

  /** Registers before the memory is, so that the refund comes after it is freed. */
  @Override
  protected void charge(long byteSize) {
    Lifetime.runAtEnd(lifetime.ofJdk(), refund);
    refund.account.charge(byteSize);
    refund.charged = byteSize;
  }

  @Override
  protected void takeBack(long byteSize) {
    refund.run();
  }
}
