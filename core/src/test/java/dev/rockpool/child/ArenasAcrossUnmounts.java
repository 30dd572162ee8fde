package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that may be carried elsewhere before each step of an arena, in loops that C2
 * compiles: a slab must come from the carrier at the opening of the arena; if that has no slab
 * left, from the carrier at the allocation.
 *
 * <p>Who carries the thread is told by {@link #carrierNow}, which the JVM is told not to inline:
 * compiled alone, it has no earlier answer to fall back on.
 */
final class ArenasAcrossUnmounts {
  private static final int ROUNDS = 3_000_000;
  private static final int THREADS_PER_CARRIER = 3;

  /** Two of them do not fit into a slab, so the second one takes the slab behind the first. */
  private static final int BYTES = 400;

  private static final Object MONITOR = new Object();
  private static final Set<Thread> CARRIERS = ConcurrentHashMap.newKeySet();
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private static final LongAdder MIGRATED = new LongAdder();
  private static final LongAdder OWN = new LongAdder();
  private static final LongAdder GROWN = new LongAdder();

  private ArenasAcrossUnmounts() {}

  public static void main(String[] args) throws Exception {
    int count = THREADS_PER_CARRIER * Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long mark = (i + 1L) << 32;
      threads.add(Thread.ofVirtual().start(() -> work(mark, ROUNDS / count)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
    Figures.print("carriers", CARRIERS.size());
    Figures.print("migrated", MIGRATED.sum());
    Figures.print("slabs of the carrier", OWN.sum());
    Figures.print("grown in place", GROWN.sum());
    PoolAudit.checkAtRest();
  }

  private static void work(long mark, int rounds) {
    try {
      for (int round = 0; round < rounds && FAILURE.get() == null; round++) {
        useArena(mark + round, round);
      }
    } catch (Throwable failure) {
      FAILURE.compareAndSet(null, failure);
    }
  }

  private static void useArena(long mark, int round) {
    Thread before = Carrier.current();
    try (Arena arena = Arenas.ofConfined()) {
      Thread atOpening = carrierNow();
      pause(round);
      MemorySegment first = arena.allocate(BYTES);
      int slab = checkPlace(first, atOpening, carrierNow());
      OWN.add(slab < 0 ? 0 : 1);
      Marked.write(first, mark);

      pause(round + 1);
      checkFoundAnew(Carrier.current(), carrierNow());
      MemorySegment second = arena.allocate(BYTES);
      if (second.address() == first.address() + BYTES) {
        // Within the slabs of a carrier, the next of which was taken just now.
        checkGrowth(slab, checkPlace(second.asSlice(BYTES - 1), carrierNow(), carrierNow()));
        GROWN.increment();
      }
      Marked.write(second, mark);

      pause(round + 2);
      Marked.replace(first, mark, -mark);
      Marked.replace(second, mark, -mark);
    }
    MIGRATED.add(before == Carrier.current() ? 0 : 1);
  }

  private static void pause(int round) {
    if (round % 64 == 0) {
      LockSupport.parkNanos(1);
    } else if (round % 8 == 0) {
      synchronized (MONITOR) {
        Thread.yield();
      }
    } else {
      Thread.yield();
    }
  }

  /** Not inlined, see above. */
  private static Thread carrierNow() {
    return Carrier.current();
  }

  private static void checkFoundAnew(Thread found, Thread now) {
    if (found != now) {
      throw new AssertionError("carrier found: " + found + ", but it is " + now);
    }
  }

  /** The slab of either carrier, or -1 if it is none; of no other carrier, certainly. */
  private static int checkPlace(MemorySegment memory, Thread before, Thread now) {
    CARRIERS.add(before);
    CARRIERS.add(now);
    int found = -1;
    for (Thread carrier : CARRIERS) {
      int slab = PoolAudit.slabAt(carrier, memory.address());
      if (slab >= 0 && carrier != before && carrier != now) {
        throw new AssertionError(memory + " is of " + carrier + ", not of " + before + ", " + now);
      }
      found = Math.max(found, slab);
    }
    return found;
  }

  private static void checkGrowth(int slab, int next) {
    if (slab < 0 || next != slab + 1) {
      throw new AssertionError("grown from slab " + slab + " to slab " + next);
    }
  }
}
