package dev.rockpool.arena;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * {@link SharedSlabs} in all orders of steps: arenas that want the same slot, and two who free what
 * nobody used.
 */
class SharedSlabsOrdersTest {
  private static final String TWO_OWNERS = "one slab, two owners";
  private static final String FREED = "freed under its owner";
  private static final String COUNT = "arenas served";

  /** A slot, as arenas and those who free its memory see it. */
  private interface Slots {
    int acquire(long hint);

    long address(int slot);

    void release(int slot, int served);

    void trim();

    void freeAll();

    long served();

    long byteSize();

    void checkInvariants();
  }

  private record Real(SharedSlabs slabs) implements Slots {
    Real(int slots) {
      this(SharedSlabs.of(Words.BYTE_SIZE, slots));
    }

    @Override
    public int acquire(long hint) {
      return slabs.acquire(hint);
    }

    @Override
    public long address(int slot) {
      return slabs.address(slot);
    }

    @Override
    public void release(int slot, int served) {
      slabs.release(slot, served);
    }

    @Override
    public void trim() {
      slabs.trim();
    }

    @Override
    public void freeAll() {
      slabs.freeAll();
    }

    @Override
    public long served() {
      return slabs.served();
    }

    @Override
    public long byteSize() {
      return slabs.byteSize();
    }

    @Override
    public void checkInvariants() {
      slabs.checkInvariants();
    }
  }

  /** The protocol of one slot in a few lines. Its memory is a number. */
  private static class Model implements Slots {
    final AtomicLong owned = new AtomicLong();
    volatile long address;
    long uses;
    private long usesAtLastLook;

    boolean claim() {
      return owned.get() == 0 && owned.compareAndSet(0, 1);
    }

    @Override
    public int acquire(long hint) {
      if (!claim()) {
        return SharedSlabs.NONE;
      }
      if (address == 0) {
        address = 1;
      }
      return 0;
    }

    @Override
    public long address(int slot) {
      return address;
    }

    @Override
    public void release(int slot, int served) {
      uses++;
      owned.set(0);
    }

    @Override
    public void trim() {
      long now = uses;
      if (now == usesAtLastLook) {
        freeAll();
      }
      usesAtLastLook = now;
    }

    @Override
    public void freeAll() {
      if (address != 0 && claim()) {
        address = 0;
        owned.set(0);
      }
    }

    @Override
    public long served() {
      return uses;
    }

    @Override
    public long byteSize() {
      return address;
    }

    @Override
    public void checkInvariants() {}
  }

  /** Two arenas want the same slot. */
  private static void twoArenas(Slots slots) {
    AtomicInteger owners = new AtomicInteger();
    race(() -> use(slots, owners), () -> use(slots, owners));
    end(slots);
  }

  private static int use(Slots slots, AtomicInteger owners) {
    int slot = slots.acquire(0);
    if (slot == SharedSlabs.NONE) {
      return 0;
    }
    if (owners.incrementAndGet() != 1) {
      throw new AssertionError(TWO_OWNERS);
    }
    if (slots.address(slot) == 0) {
      throw new AssertionError(FREED);
    }
    owners.decrementAndGet();
    slots.release(slot, 1);
    return 1;
  }

  private static void end(Slots slots) {
    slots.checkInvariants();
    slots.freeAll();
    if (slots.byteSize() != 0) {
      throw new AssertionError("not freed, though nobody owns it");
    }
  }

  /** Each arena that got the slot is counted. */
  private static void count(Slots slots) {
    AtomicInteger owners = new AtomicInteger();
    int[] served = new int[2];
    race(() -> served[0] = use(slots, owners), () -> served[1] = use(slots, owners));
    if (slots.served() != served[0] + served[1]) {
      throw new AssertionError(COUNT + ": " + slots.served() + " of " + (served[0] + served[1]));
    }
    end(slots);
  }

  /** An arena wants a slot whose slab nobody used for a while, so that it is freed. */
  private static void trim(Slots slots) {
    slots.release(slots.acquire(0), 1);
    slots.trim();
    AtomicInteger owners = new AtomicInteger();
    race(() -> use(slots, owners), slots::trim);
    end(slots);
  }

  /** The same, when it is freed by two at once. The C library ends the JVM if both do. */
  private static void trimAndFreeAll(Slots slots) {
    slots.release(slots.acquire(0), 1);
    slots.trim();
    AtomicInteger owners = new AtomicInteger();
    race(() -> use(slots, owners), slots::trim, slots::freeAll);
    end(slots);
  }

  @Test
  void realWithTwoArenas() {
    check(() -> twoArenas(new Real(1)));
  }

  @Test
  void realCounts() {
    check(() -> count(new Real(1)));
  }

  @Test
  void realTrims() {
    check(() -> trim(new Real(1)));
    check(() -> trimAndFreeAll(new Real(1)));
  }

  @Test
  void model() {
    checkModel(() -> twoArenas(new Model()));
    checkModel(() -> count(new Model()));
    checkModel(() -> trim(new Model()));
    checkModel(() -> trimAndFreeAll(new Model()));
  }

  /** There is a slot for each arena, so each gets one, and none gets the other's. */
  @Test
  void realWithTwoSlots() {
    check(
        () -> {
          SharedSlabs slabs = SharedSlabs.of(Words.BYTE_SIZE, SharedSlabs.TRIES);
          int[] slots = new int[2];
          race(() -> slots[0] = slabs.acquire(1), () -> slots[1] = slabs.acquire(1));
          if (slots[0] + slots[1] != 1) {
            throw new AssertionError("slots: " + slots[0] + ", " + slots[1]);
          }
          slabs.release(0, 1);
          slabs.release(1, 1);
          slabs.freeAll();
          if (slabs.owned() != 0 || slabs.byteSize() != 0) {
            throw new AssertionError("not freed, though nobody owns it");
          }
        });
  }

  @Test
  void weakenedWhereAClaimIsALookAndAStore() {
    class Weakened extends Model {
      @Override
      boolean claim() {
        if (owned.get() != 0) {
          return false;
        }
        owned.set(1);
        return true;
      }
    }
    checkBreaks(TWO_OWNERS, () -> twoArenas(new Weakened()));
  }

  @Test
  void weakenedWhereNobodyClaimsWhatHeFrees() {
    class Weakened extends Model {
      @Override
      public void freeAll() {
        if (owned.get() == 0) {
          address = 0;
        }
      }
    }
    checkBreaks(FREED, () -> trim(new Weakened()));
  }

  @Test
  void weakenedWhereAUseIsCountedAfterTheRelease() {
    class Weakened extends Model {
      @Override
      public void release(int slot, int served) {
        owned.set(0);
        uses++;
      }
    }
    checkBreaks(COUNT, () -> count(new Weakened()));
  }
}
