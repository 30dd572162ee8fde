package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * The housekeeper frees the slab of a slot that lay idle, while a thread uses the slot.
 *
 * <p>The hole: the memory goes while an arena has it. Hardware reaches it if the housekeeper looks
 * whether the slot is free, but does not claim it.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=SlotTrim}
 */
public final class SlotTrim {
  private static final long FREE = 0;
  private static final long OWNED = 1;
  private static final long MEMORY = 64;
  private static final long NO_MEMORY = 0;

  private static final String USED = "used";
  private static final String GONE = "gone";
  private static final String NONE = "none";
  private static final String KEPT = "kept";
  private static final String FREED = "freed";

  private SlotTrim() {}

  @Outcome(
      id = "used, kept",
      expect = ACCEPTABLE,
      desc = "Owned or used when the housekeeper looked; or used with new memory after that.")
  @Outcome(id = "used, freed", expect = ACCEPTABLE, desc = "Used and released, then freed.")
  @Outcome(
      id = "none, freed",
      expect = ACCEPTABLE,
      desc = "The housekeeper had the slot when the thread looked.")
  @Outcome(id = "none, kept", expect = FORBIDDEN, desc = "A free slot that nobody gets.")
  @Outcome(
      id = {"gone, kept", "gone, freed"},
      expect = FORBIDDEN,
      desc = "Freed while an arena had it.")
  static final class Promise {}

  /** The slot that {@link Model} and {@link Weakened} have in common. */
  static class Slot {
    final AtomicLong claim = new AtomicLong();
    volatile long address = MEMORY;

    final String use() {
      if (!claim.compareAndSet(FREE, OWNED)) {
        return NONE;
      }
      if (address == NO_MEMORY) {
        address = MEMORY;
      }
      Threads.letOthersComeBetween();
      String found = address == NO_MEMORY ? GONE : USED;
      claim.setRelease(FREE);
      return found;
    }

    final String memory() {
      return address == NO_MEMORY ? FREED : KEPT;
    }
  }

  /** The model: freeing claims the slot, as everybody does. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model extends Slot {
    @Actor
    public void user(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void housekeeper() {
      if (claim.compareAndSet(FREE, OWNED)) {
        address = NO_MEMORY;
        claim.setRelease(FREE);
      }
    }

    @Arbiter
    public void look(LL_Result r) {
      r.r2 = memory();
    }
  }

  /** {@link SharedSlabs#trim}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SharedSlabs slabs = SharedSlabs.of(Words.BYTE_SIZE, 1);

    /** Used once, and then not between two looks. */
    public Real() {
      slabs.release(slabs.acquire(0), 0);
      slabs.trim();
    }

    @Actor
    public void user(LL_Result r) {
      int slot = slabs.acquire(0);
      if (slot == SharedSlabs.NONE) {
        r.r1 = NONE;
        return;
      }
      long address = slabs.address(slot);
      if (address == NO_MEMORY) {
        r.r1 = GONE;
      } else {
        String found = Words.findAndWrite(address);
        r.r1 = found.equals("zero") && slabs.address(slot) == address ? USED : GONE;
        Words.zero(address);
      }
      slabs.release(slot, 1);
    }

    @Actor
    public void housekeeper() {
      slabs.trim();
    }

    @Arbiter
    public void look(LL_Result r) {
      slabs.checkInvariants();
      r.r2 = slabs.byteSize() == 0 ? FREED : KEPT;
      slabs.freeAll();
    }
  }

  /** The weakened twin: freeing only looks whether the slot is free. */
  @JCStressTest
  @Outcome(
      id = {"used, kept", "used, freed"},
      expect = ACCEPTABLE,
      desc = "One late enough after the other.")
  @Outcome(
      id = {"gone, kept", "gone, freed"},
      expect = ACCEPTABLE_INTERESTING,
      desc = "Claimed between look and free: freed while an arena had it.")
  @State
  public static class Weakened extends Slot {
    @Actor
    public void user(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void housekeeper() {
      if (claim.get() == FREE) {
        Threads.letOthersComeBetween();
        address = NO_MEMORY;
      }
    }

    @Arbiter
    public void look(LL_Result r) {
      r.r2 = memory();
    }
  }
}
