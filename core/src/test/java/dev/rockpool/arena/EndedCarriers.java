package dev.rockpool.arena;

import dev.rockpool.child.Carriers;
import dev.rockpool.child.Carriers.Carrier;
import dev.rockpool.child.Carriers.Guest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fate of the slabs of a carrier that has ended, while virtual threads that it carried go on
 * elsewhere. Prints for each {@link Story} how it ended; {@code EndedCarriersTest} reads that.
 *
 * <p>Each story has a pool of its own that nobody looks after: what is freed or passed on is so
 * because of what the story does.
 */
public final class EndedCarriers {
  public static final String RIGHT = "right";

  private static final int SLAB = 64;
  private static final int SLABS = 3;
  private static final long OF_THREAD = ThreadSlabs.byteSize(SLAB, SLABS);

  /** Something that may happen to the slabs of a carrier that ends. */
  public enum Story {
    A_NEW_CARRIER_TAKES_THEM_OVER(EndedCarriers::newCarrierTakesThemOver),
    A_PLATFORM_THREAD_TAKES_THEM_OVER(EndedCarriers::platformThreadTakesThemOver),
    THEY_ARE_FREED(EndedCarriers::theyAreFreed),
    AN_OPEN_ARENA_KEEPS_ITS_SLAB_FROM_THE_HEIR(EndedCarriers::openArenaKeepsItsSlab),
    AN_ARENA_IS_CLOSED_ON_THE_HEIR(EndedCarriers::arenaIsClosedOnTheHeir),
    AN_ARENA_IS_CLOSED_AFTER_THE_HEIR_HAS_ENDED(EndedCarriers::arenaIsClosedAfterTheHeir),
    AN_ARENA_IS_CLOSED_WITHOUT_AN_HEIR(EndedCarriers::arenaIsClosedWithoutAnHeir),
    ALL_SLABS_ARE_KEPT_BY_OPEN_ARENAS(EndedCarriers::allSlabsAreKept),
    AN_ARENA_DOES_NOT_GROW_INTO_SLABS_OF_THE_HEIR(EndedCarriers::arenaDoesNotGrowIntoTheHeirs),
    THE_CARRIER_ENDS_WHILE_ITS_SLABS_ARE_MADE(EndedCarriers::carrierEndsWhileSlabsAreMade);

    private final Plot plot;

    Story(Plot plot) {
      this.plot = plot;
    }

    /** Needs a JVM where java.lang is open. */
    private String tell() {
      EndedCarriers story = new EndedCarriers();
      try {
        plot.on(story);
        story.checkNothingLeft();
        return RIGHT;
      } catch (Throwable failure) {
        failure.printStackTrace();
        return failure.toString();
      }
    }
  }

  private interface Plot {
    void on(EndedCarriers story) throws Throwable;
  }

  private final Pool pool = Pool.of(SLAB, SLABS, 4);
  private final SlabRegistry registry = pool.registry();
  private final Carriers carriers = new Carriers();
  private final Guest guest = carriers.guest();

  private EndedCarriers() {}

  public static void main(String[] args) {
    for (Story story : Story.values()) {
      System.out.println(story + "=" + story.tell());
    }
  }

  private void newCarrierTakesThemOver() throws Throwable {
    List<Long> first = useAllOnACarrier();
    checkEqual(1, registry.threads(), "known before anybody has looked");
    checkEqual(first, useAllOnACarrier(), "slabs of the second carrier");
    checkEqual(1, registry.threads(), "known threads");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held");
  }

  private void platformThreadTakesThemOver() throws Throwable {
    List<Long> first = useAllOnACarrier();
    checkEqual(first, ThreadKind.PLATFORM.call(this::useAll), "slabs of a platform thread");
    checkEqual(first, useAllOnACarrier(), "slabs of a carrier after it");
    checkEqual(1, registry.threads(), "known threads");
  }

  private void theyAreFreed() throws Throwable {
    Carrier alive = carriers.start();
    List<Long> slabsOfTheLiving = new ArrayList<>();
    alive.carry(guest, () -> slabsOfTheLiving.addAll(useAll()));
    for (int i = 0; i < 10; i++) {
      useAllOnACarrier();
    }
    registry.sweep();
    checkEqual(1, registry.threads(), "known threads while one is alive");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held while one is alive");

    List<Long> later = new ArrayList<>();
    alive.carry(guest, () -> later.addAll(useAll()));
    checkEqual(slabsOfTheLiving, later, "slabs of the living");
    alive.end();
  }

  private void openArenaKeepsItsSlab() throws Throwable {
    Open open = openOnACarrierThatEnds();
    registry.sweep();
    checkEqual(0, registry.threads(), "known threads");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held for an open arena");

    Carrier heir = carriers.start();
    Guest other = carriers.guest();
    List<Long> ofTheHeir = new ArrayList<>();
    heir.carry(other, () -> ofTheHeir.addAll(use(SLABS - 1)));
    check(!ofTheHeir.contains(open.address()), "a slab has two owners");
    checkEqual(1, registry.owned(), "slabs owned by the open arena");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held by the heir");

    Carrier third = carriers.start();
    third.carry(guest, open::checkAndClose);
    checkEqual(0, registry.owned(), "slabs owned when it is closed");
    ofTheHeir.clear();
    heir.carry(other, () -> ofTheHeir.addAll(useAll()));
    check(ofTheHeir.contains(open.address()), "the heir did not get the slab that came back");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held by the heir, and nobody else");
    third.end();
    heir.end();
  }

  private void arenaIsClosedOnTheHeir() throws Throwable {
    Open open = openOnACarrierThatEnds();
    Carrier heir = carriers.start();
    heir.carry(carriers.guest(), () -> use(SLABS - 1));
    heir.carry(guest, open::checkAndClose);
    List<Long> all = new ArrayList<>();
    heir.carry(guest, () -> all.addAll(useAll()));
    check(all.contains(open.address()), "the heir did not get the slab that came back");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held");
    heir.end();
  }

  private void arenaIsClosedAfterTheHeir() throws Throwable {
    Open open = openOnACarrierThatEnds();
    for (int i = 0; i < 5; i++) {
      Carrier heir = carriers.start();
      heir.carry(carriers.guest(), () -> use(SLABS - 1));
      heir.end();
    }
    checkEqual(1, registry.threads(), "known threads");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held by one after another");
    closeOnACarrier(open);
    check(useAllOnACarrier().contains(open.address()), "the slab that came back was lost");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held by the last");
  }

  private void arenaIsClosedWithoutAnHeir() throws Throwable {
    Open open = openOnACarrierThatEnds();
    registry.sweep();
    closeOnACarrier(open);
    checkEqual(0, registry.owned(), "slabs owned");
    registry.sweep();
    checkEqual(0L, registry.byteSize(), "bytes held once it is closed");
  }

  private void allSlabsAreKept() throws Throwable {
    Carrier carrier = carriers.start();
    List<Open> kept = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      carrier.carry(guest, () -> kept.add(new Open(SLAB)));
    }
    carrier.end();
    List<Long> others = useAllOnACarrier();
    kept.forEach(open -> check(!others.contains(open.address()), "a slab has two owners"));
    registry.sweep();
    checkEqual(0, registry.threads(), "known threads");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held for open arenas");

    closeOnACarrier(kept.removeLast());
    checkEqual(SLABS - 1, registry.owned(), "slabs owned");
    while (!kept.isEmpty()) {
      closeOnACarrier(kept.removeLast());
    }
  }

  /** Its carrier's slabs are its heir's now; they are not to be had by virtual threads of old. */
  private void arenaDoesNotGrowIntoTheHeirs() throws Throwable {
    Open open = openOnACarrierThatEnds();
    Carrier heir = carriers.start();
    List<Long> ofTheHeir = new ArrayList<>();
    Guest other = carriers.guest();
    heir.carry(other, () -> ofTheHeir.addAll(use(SLABS - 1)));
    heir.carry(
        guest,
        () -> {
          MemorySegment more = zeroAndMarked(open.arena, SLAB);
          check(more.address() != open.address() + SLAB, "grew in place");
          check(!ofTheHeir.contains(more.address()), "is in a slab of the heir");
        });
    checkEqual(1, pool.larger().owned(), "larger slabs owned");
    heir.carry(guest, open::checkAndClose);
    heir.end();
  }

  /** A virtual thread that waits for a lock is carried by nobody, and so nobody waits for it. */
  private void carrierEndsWhileSlabsAreMade() throws Throwable {
    Carrier first = carriers.start();
    synchronized (registry) {
      guest.offer(this::useOne);
      first.carryOnce();
      check(guest.isBusy(), "did not wait for the lock");
      first.end();
    }
    Carrier second = carriers.start();
    second.carry(guest);
    second.carry(guest, this::useAll);
    registry.sweep();
    checkEqual(1, registry.threads(), "known threads while one is alive");
    checkEqual(OF_THREAD, registry.byteSize(), "bytes held while one is alive");
    second.end();
  }

  private List<Long> useAllOnACarrier() throws Throwable {
    List<Long> addresses = new ArrayList<>();
    Carrier carrier = carriers.start();
    carrier.carry(carriers.guest(), () -> addresses.addAll(useAll()));
    carrier.end();
    return addresses;
  }

  private Open openOnACarrierThatEnds() throws Throwable {
    List<Open> open = new ArrayList<>();
    Carrier carrier = carriers.start();
    carrier.carry(guest, () -> open.add(new Open(SLAB / 2)));
    carrier.end();
    return open.getFirst();
  }

  private void closeOnACarrier(Open open) throws Throwable {
    Carrier carrier = carriers.start();
    carrier.carry(guest, open::checkAndClose);
    carrier.end();
  }

  private List<Long> useAll() {
    return use(SLABS);
  }

  private void useOne() {
    try (Arena arena = pool.open()) {
      zeroAndMarked(arena, SLAB);
    }
  }

  /** Holds as many slabs of the current carrier at once; returns where they are. */
  private List<Long> use(int slabs) {
    Arena[] arenas = new Arena[slabs];
    List<Long> addresses = new ArrayList<>();
    Arrays.setAll(arenas, i -> pool.open());
    for (Arena arena : arenas) {
      addresses.add(zeroAndMarked(arena, SLAB).address());
    }
    checkEqual(0, pool.shared().owned(), "slabs that are not of the carrier");
    for (Arena arena : arenas) {
      arena.close();
    }
    return addresses;
  }

  private static MemorySegment zeroAndMarked(Arena arena, int byteSize) {
    MemorySegment memory = arena.allocate(byteSize);
    for (long offset = 0; offset < byteSize; offset++) {
      checkEqual((byte) 0, memory.get(ValueLayout.JAVA_BYTE, offset), "byte at hand-out");
    }
    return memory.fill((byte) -1);
  }

  /** An arena of the guest, and the memory in it, which nobody else may touch. */
  private final class Open {
    private final Arena arena = pool.open();
    private final MemorySegment memory;

    Open(int byteSize) {
      memory = zeroAndMarked(arena, byteSize).fill((byte) 7);
      checkEqual(0, pool.shared().owned(), "slabs that are not of the carrier");
    }

    long address() {
      return memory.address();
    }

    void checkAndClose() {
      for (long offset = 0; offset < memory.byteSize(); offset++) {
        checkEqual((byte) 7, memory.get(ValueLayout.JAVA_BYTE, offset), "byte of an open arena");
      }
      arena.close();
      check(!memory.scope().isAlive(), "is alive although it was closed");
    }
  }

  /** At the end of each story all carriers have ended, and all arenas are closed. */
  private void checkNothingLeft() {
    pool.checkInvariants();
    checkEqual(0, pool.owned(), "slabs owned at the end");
    registry.sweep();
    checkEqual(0, registry.threads(), "known threads at the end");
    checkEqual(0L, registry.byteSize(), "bytes of threads at the end");
    pool.shared().freeAll();
    pool.larger().freeAll();
    checkEqual(0L, pool.byteSize(), "bytes held at the end");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void checkEqual(Object expected, Object found, String what) {
    if (!expected.equals(found)) {
      throw new AssertionError(what + ": expected " + expected + ", found " + found);
    }
  }
}
