package dev.rockpool.carriers;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Carriers of the JDK's own scheduler use memory of both pools, and end when they have been idle
 * for half a minute, while three virtual threads have arenas open. Those go on on carriers that are
 * new. Prints, for each pool, how many threads keep blocks at each stage.
 */
@SuppressWarnings("restricted")
final class IdleCarriers {
  private static final int CARRIERS =
      Integer.getInteger("jdk.virtualThreadScheduler.parallelism", 0);
  private static final int BYTES = 200;

  private static final Linker LINKER = Linker.nativeLinker();

  /** Gets a buffer of the linker, and asks for memory for its result while it has that. */
  private static final MethodHandle LDIV =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("ldiv"),
          FunctionDescriptor.of(
              MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG), JAVA_LONG, JAVA_LONG));

  /** Fails, and captures its code into memory of the library's pool. */
  private static final MethodHandle CLOSE =
      CallState.ERRNO.adapt(
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("close"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT),
              CallState.ERRNO.option()));

  private static final Set<Thread> OLD_CARRIERS = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger CARRIED = new AtomicInteger();
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private static final CountDownLatch HELD = new CountDownLatch(3);
  private static volatile boolean goOn;

  private IdleCarriers() {}

  private interface Task {
    void run() throws Throwable;
  }

  public static void main(String[] args) throws Exception {
    Pool.checkAgent();
    joinAll(List.of(start(IdleCarriers::useAll))); // what links once may wait, and so move
    List<Thread> brief = new ArrayList<>();
    List<Thread> holders = new ArrayList<>();
    holders.add(startOnCarrierOfItsOwn(() -> holdArena(Arena::ofConfined)));
    holders.add(startOnCarrierOfItsOwn(() -> holdArena(Arenas::ofConfined)));
    holders.add(startOnCarrierOfItsOwn(IdleCarriers::holdBufferOfTheLinker));
    while (holders.size() + brief.size() < CARRIERS) {
      brief.add(startOnCarrierOfItsOwn(() -> {}));
    }
    joinAll(brief);
    HELD.await();
    print("at work");

    joinAll(OLD_CARRIERS);
    Pool.awaitHousekeepers();
    print("ended");

    goOn = true;
    holders.forEach(LockSupport::unpark);
    joinAll(holders);
    joinAll(List.of(start(IdleCarriers::useAll)));
    print("closed");
    for (Pool pool : Pool.values()) {
      pool.checkInvariants();
    }
  }

  private static void print(String stage) {
    for (Pool pool : Pool.values()) {
      System.out.printf("%s, %s: %d threads%n", stage, pool, pool.threads());
    }
  }

  private static void joinAll(Iterable<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
  }

  private static Thread start(Task task) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                task.run();
              } catch (Throwable failure) {
                failure.printStackTrace(); // whoever waits for this thread may wait in vain
                FAILURE.set(failure);
              }
            });
  }

  private static Thread startOnCarrierOfItsOwn(Task task) {
    return start(
        () -> {
          CARRIED.incrementAndGet();
          while (CARRIED.get() < CARRIERS) {
            Thread.onSpinWait(); // does not give up the carrier
          }
          OLD_CARRIERS.add(Carrier.current());
          useAll();
          task.run();
        });
  }

  private static void useAll() throws Throwable {
    use(Arena.ofConfined());
    use(Arenas.ofConfined());
    try (Arena arena = Arena.ofConfined()) {
      divide(arena);
    }
    int closed = (int) CLOSE.invokeExact(-1);
    check(closed == -9, "not -EBADF: " + closed);
  }

  private static void use(Arena arena) {
    try (arena) {
      zeroAndFilled(arena, (byte) -1);
      zeroAndFilled(arena, (byte) -2);
    }
  }

  private static void divide(SegmentAllocator allocator) throws Throwable {
    MemorySegment result = (MemorySegment) LDIV.invokeExact(allocator, 1_000_007L, 1_000L);
    check(result.get(JAVA_LONG, 0) == 1_000, "quotient: " + result.get(JAVA_LONG, 0));
    check(result.get(JAVA_LONG, 8) == 7, "remainder: " + result.get(JAVA_LONG, 8));
  }

  private static void holdArena(Supplier<Arena> pool) {
    try (Arena arena = pool.get()) {
      MemorySegment memory = zeroAndFilled(arena, (byte) 7);
      awaitNewCarrier();
      checkFilled(memory, (byte) 7);
    }
  }

  private static void holdBufferOfTheLinker() throws Throwable {
    try (Arena arena = Arena.ofShared()) {
      divide(
          (byteSize, byteAlignment) -> {
            awaitNewCarrier();
            return arena.allocate(byteSize, byteAlignment);
          });
    }
  }

  private static void awaitNewCarrier() {
    HELD.countDown();
    while (!goOn) {
      LockSupport.park();
    }
    check(!OLD_CARRIERS.contains(Carrier.current()), "carried by one that has ended");
  }

  private static MemorySegment zeroAndFilled(Arena arena, byte value) {
    MemorySegment memory = arena.allocate(BYTES);
    checkFilled(memory, (byte) 0);
    return memory.fill(value);
  }

  private static void checkFilled(MemorySegment memory, byte value) {
    for (long offset = 0; offset < memory.byteSize(); offset++) {
      byte found = memory.get(JAVA_BYTE, offset);
      check(found == value, found + " instead of " + value);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
