package dev.rockpool.internal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are charged to an account, and refunded once their memory was freed, by whoever owns
 * this. Its value is the bytes that any thread adds, or {@code ENDED}.
 *
 * <p>Where the stack ends in the refund, the housekeeper makes up for it. To note that takes no
 * call, for which there would be no stack either.
 */
public class Refund extends AtomicLong implements Runnable {
  private static final long serialVersionUID = 0;

  private static final Object LOCK = new Object();

  /** Those that the housekeeper is to run. Guarded by the lock. */
  private static @Nullable Refund lost;

  private static final long ENDED = -1;

  public final transient Account account;

  /** Charged bytes that the owner adds, without a call, right after the charge. */
  public long charged;

  /** Whether the collector has found the memory. */
  public boolean isFound;

  /** The next one that was lost. Guarded by the lock. */
  private transient @Nullable Refund next;

  public Refund(Account account) {
    this.account = account;
  }

  /** Adds charged bytes, on any thread; returns false if they come too late to be refunded. */
  public boolean tryAdd(long byteSize) {
    for (long now = get(); now != ENDED; now = get()) {
      if (compareAndSet(now, now + byteSize)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void run() {
    long all = charged;
    charged = 0;
    try {
      all += Math.max(0, getAndSet(ENDED));
      account.refund(all, isFound);
    } catch (StackOverflowError end) {
      synchronized (LOCK) {
        charged = all;
        next = lost;
        lost = this;
      }
    }
  }

  private static @Nullable Refund takeLost() {
    synchronized (LOCK) {
      Refund all = lost;
      lost = null;
      return all;
    }
  }

  /** The housekeeper's task. */
  public static final class OfTheLost implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      for (Refund each = takeLost(); each != null; ) {
        Refund following = each.next;
        each.next = null;
        each.run();
        each = following;
      }
      return true;
    }
  }
}
