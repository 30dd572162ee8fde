package dev.rockpool.record;

import dev.rockpool.internal.Account;
import dev.rockpool.record.Site.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Memory that Java code takes and gives back by address: by {@code sun.misc.Unsafe}, and by {@link
 * LinkedAllocators}. It counts for the line of the program that takes it, for which the stack is
 * walked: where native memory is limited, before it is allocated, and until it was freed.
 *
 * <p>An address is forgotten before its memory is freed, because another thread may get it at once.
 * Memory that other code frees stays.
 */
final class Allocations {
  private static final Map<Long, Taken> OPEN = new ConcurrentHashMap<>();

  /** Finds the account of a line, by kind; null if native memory is not limited. */
  static volatile @Nullable BiFunction<String, String, Account> accounts;

  /** Whether memory is recorded. */
  static volatile boolean records;

  private Allocations() {}

  /** Memory that is about to be allocated, or is. */
  static final class Taken {
    private final long byteSize;
    private final Kind kind;
    private final String line;

    /** That of the line which took the memory first, however often it was reallocated. */
    private final Account account;

    private @Nullable Holding holding;

    /** The memory that is being reallocated, and its address. */
    private @Nullable Taken former;

    private long formerAddress;

    private Taken(long byteSize, Kind kind, String line, Account account) {
      this.byteSize = byteSize;
      this.kind = kind;
      this.line = line;
      this.account = account;
    }

    private void endHolding() {
      if (holding != null) {
        holding.closed(0);
      }
    }
  }

  /**
   * Reserves memory that is about to be allocated.
   *
   * @param byteSize nothing is reserved for a negative number, which no allocator accepts
   * @throws OutOfMemoryError if the limit leaves no room
   */
  static Taken reserve(long byteSize, Kind kind) {
    return reserve(byteSize, kind, null);
  }

  /** As above, for memory at an address that is to become so large; 0 for none. */
  static Taken reserveAnew(long address, long byteSize, Kind kind) {
    Taken former = OPEN.remove(address);
    Taken taken = null;
    try {
      taken = reserve(byteSize, kind, former);
      taken.former = former;
      taken.formerAddress = address;
      return taken;
    } finally {
      if (taken == null && former != null) {
        OPEN.put(address, former);
      }
    }
  }

  private static Taken reserve(long byteSize, Kind kind, @Nullable Taken former) {
    String line = Callers.taker();
    long size = Math.max(0, byteSize);
    if (former != null) {
      former.account.reserve(Math.max(0, size - former.byteSize));
      return new Taken(size, kind, line, former.account);
    }
    BiFunction<String, String, Account> finder = accounts;
    Account account = finder == null ? Account.NONE : finder.apply(kind.text(), line);
    account.reserve(size);
    return new Taken(size, kind, line, account);
  }

  /** Notes memory that was reserved, and credits what was not allocated: address 0 tells so. */
  static void took(long address, Taken taken) {
    Taken former = taken.former;
    taken.former = null;
    if (address == 0 && former != null && taken.byteSize > 0) {
      OPEN.put(taken.formerAddress, former); // still allocated
      taken.account.credit(Math.max(0, taken.byteSize - former.byteSize));
      return;
    }
    if (former != null) {
      former.endHolding();
      taken.account.credit(Math.max(0, former.byteSize - taken.byteSize));
    }
    if (address == 0) {
      taken.account.credit(taken.byteSize);
      return;
    }
    if (records) {
      taken.holding = new Holding(null, Site.get(Site.of(taken.line, taken.kind)), true, true);
    }
    Taken unseen = OPEN.put(address, taken);
    if (unseen != null) {
      freed(unseen); // else its memory would not be in use again
    }
    if (taken.holding != null) {
      taken.holding.opened().allocated(taken.byteSize);
    }
  }

  /** Call before memory is freed; returns what to pass to {@link #freed}, null if not known. */
  static @Nullable Taken give(long address) {
    return OPEN.remove(address);
  }

  static void freed(@Nullable Taken taken) {
    if (taken != null) {
      taken.endHolding();
      taken.account.credit(taken.byteSize);
    }
  }
}
