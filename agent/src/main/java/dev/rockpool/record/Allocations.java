package dev.rockpool.record;

import dev.rockpool.internal.Refund;
import dev.rockpool.internal.Usability;
import dev.rockpool.record.Site.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

  /** What one entry takes on the heap: a node of the map, a key and a value. */
  private static final long TABLE_BYTES = 144;

  /** For a look-up without heap; guarded by itself. */
  private static final SpareKey SPARE_KEY = new SpareKey();

  /** Whether nobody sees any more that what Unsafe took, and direct buffers, are freed. */
  private static volatile boolean isBlind;

  static volatile boolean records;

  private Allocations() {}

  /** Equals a key for a map that calls {@code equals} of what it looks up. */
  @SuppressWarnings("EqualsHashCode")
  private static final class SpareKey {
    private long key;

    @Override
    public int hashCode() {
      return Long.hashCode(key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Long known && known == key;
    }
  }

  /** Removes memory from the map. The heap may be full: memory is freed all the same. */
  @SuppressWarnings("CollectionIncompatibleType")
  private static @Nullable Taken remove(long address) {
    try {
      return OPEN.remove(Holding.key(address));
    } catch (OutOfMemoryError noHeap) {
      synchronized (SPARE_KEY) {
        SPARE_KEY.key = Holding.key(address);
        return OPEN.remove(SPARE_KEY);
      }
    }
  }

  /** Memory that is about to be allocated, or is. In one hand: the map's, or a thread's. */
  public static final class Taken extends Refund {
    private static final long serialVersionUID = 0;

    private final long byteSize;
    private final transient Site site;
    private transient @Nullable Holding holding;

    /** The memory that is being reallocated, and its address. */
    private transient @Nullable Taken former;

    private long formerAddress;

    private Taken(long byteSize, Site site) {
      super(site);
      this.byteSize = byteSize;
      this.site = site;
    }

    private Taken charge(long bytes) {
      if (Site.areLimited()) {
        site.charge(bytes);
        charged = bytes;
      }
      return this;
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
    return new Taken(size, site).charge(size);
  }

  /** As above, for memory at an address that is to become so large; 0 for none. */
  static Taken chargeAnew(long address, long byteSize, Site site) {
    if (byteSize < 0) {
      return charge(byteSize, site); // which fails, and leaves the former memory as it is
    }
    Usability.requireStack(Usability.REFUND_CALLS);
    Taken former = OPEN.get(Holding.key(address));
    Taken taken = new Taken(byteSize, former == null ? site : former.site);
    taken.charge(former == null ? byteSize : Math.max(0, byteSize - former.charged));
    taken.former = former == null ? null : remove(address);
    taken.formerAddress = address;
    return taken;
  }

  /** Notes memory that was charged, or refunds it if it was not allocated: address 0 tells so. */
  public static void took(long address, Taken taken) {
    Taken former = taken.former;
    taken.former = null;
    try {
      if (former != null && address == 0 && taken.byteSize > 0) { // still allocated
        OPEN.put(Holding.key(taken.formerAddress), former);
      } else if (former != null) {
        taken.charged += former.charged; // of what it has less now, the rest is refunded
        former.charged = Math.max(0, taken.charged - taken.byteSize);
        taken.charged -= former.charged;
        freed(former, false);
      }
      if (address == 0) {
        taken.run();
      } else {
        note(address, taken);
      }
    } catch (StackOverflowError | OutOfMemoryError end) {
      taken.run(); // the memory goes on uncounted
      if (former != null) {
        former.run();
      }
    }
  }

  public static void noteTemporary(long address, long byteSize) {
    try {
      note(address, new Taken(byteSize, Site.ofChannels()));
    } catch (StackOverflowError | OutOfMemoryError end) {
      return; // the buffer goes on uncounted
    }
  }

  private static void note(long address, Taken taken) {
    if (records && taken.site.kind != Kind.DIRECT) {
      taken.holding = new Holding(null, RecordedSite.get(taken.site.number), true, true);
    }
    Taken unseen = OPEN.put(Holding.key(address), taken);
    if (unseen != null) {
      freed(unseen, false); // else its memory would not be in use again
    }
    if (taken.holding != null) {
      taken.holding.opened().allocated(taken.byteSize);
    }
    if (isBlind) {
      forgetUnseen();
    }
  }

  /**
   * Call before memory is freed; returns what to pass to {@link #freed}, null if not known.
   *
   * @throws StackOverflowError before anything is changed
   */
  public static @Nullable Taken give(long address) {
    Usability.requireStack(Usability.REFUND_CALLS);
    return remove(address);
  }

  /** Refunds memory that was freed, perhaps because the collector has found it. */
  public static void freed(@Nullable Taken taken, boolean isFound) {
    if (taken != null) {
      taken.isFound = isFound;
      taken.run();
      if (taken.holding != null) {
        taken.holding.closed(0);
      }
    }
  }

  /** Returns about how many bytes of the heap it takes to know memory by its address. */
  public static long tableBytes() {
    return OPEN.size() * TABLE_BYTES;
  }

  /** Call when the hooks in the JDK's classes go, or come. */
  public static void setBlind(boolean blind) {
    isBlind = blind;
    if (blind) {
      forgetUnseen();
    }
  }

  private static void forgetUnseen() {
    OPEN.forEach(
        (key, taken) -> {
          if (taken.site.kind != Kind.MALLOC && OPEN.remove(key, taken)) {
            freed(taken, false);
          }
        });
  }
}
