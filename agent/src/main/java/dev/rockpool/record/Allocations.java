package dev.rockpool.record;

import dev.rockpool.internal.Usability;
import dev.rockpool.record.Site.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is known by its address: what {@code sun.misc.Unsafe} and {@link LinkedAllocators}
 * take, and under a limit the JDK's direct buffers. Where native memory is limited, it is charged
 * before it is allocated, and refunded after it was freed.
 *
 * <p>An address is forgotten before its memory is freed, because another thread may get it at once.
 * Memory that other code frees stays.
 */
public final class Allocations {
  private static final Map<Long, Taken> OPEN = new ConcurrentHashMap<>();

  /** Whether memory is recorded. */
  static volatile boolean records;

  private Allocations() {}

  /** Addresses are multiples of 16: by themselves they would fill every 16th bucket of a map. */
  static long key(long address) {
    return Long.rotateRight(address, 4);
  }

  /**
   * Memory that is about to be allocated, or is. Its value is the bytes that are charged, each of
   * which is refunded once.
   */
  public static final class Taken extends AtomicLong {
    private static final long serialVersionUID = 0;

    private final long byteSize;
    private final transient Site site;
    private transient @Nullable Holding holding;

    /** The memory that is being reallocated, and its address. */
    private transient @Nullable Taken former;

    private long formerAddress;

    private Taken(long byteSize, Site site) {
      this.byteSize = byteSize;
      this.site = site;
    }

    /** Counts the bytes before they are charged, because nothing may be called after that. */
    private Taken charge(long bytes) {
      set(bytes);
      try {
        site.charge(bytes);
      } catch (OutOfMemoryError refused) {
        set(0);
        throw refused;
      }
      return this;
    }

    private void refundAll() {
      site.refund(getAndSet(0));
    }

    private void end() {
      if (holding != null) {
        holding.closed(0);
      }
      refundAll();
    }
  }

  /**
   * Charges memory that is about to be allocated.
   *
   * @param byteSize nothing is charged for a negative number, which no allocator accepts
   * @throws OutOfMemoryError if the limit leaves no room
   */
  public static Taken charge(long byteSize, Site site) {
    Usability.requireStack(
        Usability.REFUND_CALLS); // else the refund of what is not allocated might find none
    long size = Math.max(0, byteSize);
    return new Taken(size, site).charge(Site.areLimited() ? size : 0);
  }

  /** As above, for memory at an address that is to become so large; 0 for none. */
  static Taken chargeAnew(long address, long byteSize, Site site) {
    if (byteSize < 0) {
      return charge(byteSize, site); // which fails, and leaves the former memory as it is
    }
    Usability.requireStack(Usability.REFUND_CALLS);
    Taken former = OPEN.remove(key(address));
    if (former == null) {
      return charge(byteSize, site);
    }
    Taken taken = new Taken(byteSize, former.site);
    taken.former = former;
    taken.formerAddress = address;
    boolean isCharged = false;
    try {
      taken.charge(Site.areLimited() ? Math.max(0, byteSize - former.get()) : 0);
      isCharged = true;
    } finally {
      if (!isCharged) {
        OPEN.put(key(address), former);
      }
    }
    return taken;
  }

  /** Notes memory that was charged, or refunds it if it was not allocated: address 0 tells so. */
  public static void took(long address, Taken taken) {
    Taken former = taken.former;
    taken.former = null;
    if (address == 0 && former != null && taken.byteSize > 0) {
      OPEN.put(key(taken.formerAddress), former); // still allocated
      taken.refundAll();
      return;
    }
    if (former != null) {
      if (former.holding != null) {
        former.holding.closed(0);
      }
      long more = Math.max(0, former.get() - taken.byteSize);
      taken.addAndGet(former.getAndSet(0) - more);
      taken.site.refund(more);
    }
    if (address == 0) {
      taken.refundAll();
      return;
    }
    boolean isNoted = false;
    try {
      if (records && taken.site.kind != Kind.DIRECT) {
        taken.holding = new Holding(null, RecordedSite.get(taken.site.number), true, true);
      }
      Taken unseen = OPEN.put(key(address), taken);
      isNoted = true;
      if (unseen != null) {
        unseen.end(); // else its memory would not be in use again
      }
      if (taken.holding != null) {
        taken.holding.opened().allocated(taken.byteSize);
      }
    } finally {
      if (!isNoted) {
        taken.refundAll(); // stack or heap has ended: the memory goes on uncounted
      }
    }
  }

  /** Call before memory is freed; returns what to pass to {@link #freed}, null if not known. */
  public static @Nullable Taken give(long address) {
    return OPEN.remove(key(address));
  }

  /** Refunds memory that was freed. */
  public static void freed(@Nullable Taken taken) {
    if (taken != null) {
      taken.end();
    }
  }

  /** As above, for memory that the collector has found. */
  public static void freedFound(@Nullable Taken taken) {
    if (taken != null) {
      taken.site.refundFound(taken.getAndSet(0));
    }
  }

  /** Refunds what Unsafe took, and direct buffers: from now on nobody sees that it is freed. */
  public static void forgetUnseen() {
    OPEN.entrySet().removeIf(each -> isUnseen(each.getValue()));
  }

  private static boolean isUnseen(Taken taken) {
    if (taken.site.kind == Kind.MALLOC) {
      return false;
    }
    taken.refundAll();
    return true;
  }
}
