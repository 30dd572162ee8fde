package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.internal.Housekeeper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Objects that use a pool of their own in their finalizer, and on a thread to which it hands the
 * pool, when nothing else refers to it any more; for longer than the housekeeper takes to look.
 * Meanwhile other pools take the memory that comes free.
 */
final class FinalizersProbe {
  private static final int OBJECTS = 20;
  private static final int ROUNDS = 3;
  private static final int[] BYTE_SIZES = {24, 100, 500, 3000};

  private static final ExecutorService OTHERS = Executors.newCachedThreadPool();
  private static final AtomicInteger DONE = new AtomicInteger();
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private static volatile int round;

  private FinalizersProbe() {}

  private static final class Owner {
    private final ArenaPool pool = ArenaPool.builder().build();
    private final long kept;

    /** This thread keeps more than others of this program ever do together. */
    Owner() {
      List<Arena> arenas = new ArrayList<>();
      for (int i = 0; i < 2 * pool.blocksPerThread(); i++) {
        arenas.add(pool.take());
        arenas.getLast().allocate(pool.blockByteSize());
        arenas.getLast().allocate(8192);
      }
      arenas.forEach(Arena::close);
      kept = pool.statistics().bytesKept();
    }

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize"})
    protected void finalize() {
      use(pool, 1);
      OTHERS.submit(this::useForSomeRounds);
    }

    private void useForSomeRounds() {
      int end = round + ROUNDS;
      for (long mark = 1; round < end && FAILURE.get() == null; mark++) {
        use(pool, mark);
      }
      if (pool.statistics().bytesKept() < kept) {
        fail(new AssertionError("memory of the thread that made the pool was freed"));
      }
      DONE.incrementAndGet();
    }
  }

  private static void fail(Throwable failure) {
    FAILURE.compareAndSet(null, failure);
  }

  /** Opens several arenas, fills them, and finds in each nothing but what it has written. */
  private static void use(ArenaPool pool, long mark) {
    try {
      List<Arena> arenas = new ArrayList<>();
      List<MemorySegment> memories = new ArrayList<>();
      for (int byteSize : BYTE_SIZES) {
        arenas.add(pool.take());
        memories.add(arenas.getLast().allocate(byteSize & -Long.BYTES, Long.BYTES));
        Marked.write(memories.getLast(), mark);
      }
      memories.forEach(memory -> Marked.replace(memory, mark, -mark));
      arenas.reversed().forEach(Arena::close);
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** Opens pools that take memory and, once unreachable, free it. */
  private static void reuseFreedMemory() {
    while (DONE.get() < OBJECTS && FAILURE.get() == null) {
      ArenaPool pool = ArenaPool.builder().build();
      for (long mark = 1; mark < 50; mark++) {
        use(pool, mark << 32);
      }
      Thread.yield();
    }
  }

  public static void main(String[] args) throws Exception {
    Housekeeper.add(
        () -> {
          round++;
          return true;
        });
    for (int i = 0; i < OBJECTS; i++) {
      new Owner();
    }
    OTHERS.submit(FinalizersProbe::reuseFreedMemory);
    while (DONE.get() < OBJECTS && FAILURE.get() == null) {
      System.gc();
      Thread.yield();
    }
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
    System.out.println("done=" + DONE.get());
    System.exit(0);
  }
}
