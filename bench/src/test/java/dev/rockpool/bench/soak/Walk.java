package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The work of one thread with a pool: a number of random steps, after which all its arenas are
 * closed.
 */
final class Walk {
  private static final int DEEPEST = 12;
  private static final int HOT = 100;

  private static final Object MONITOR = new Object();

  private static final AtomicInteger THREADS = new AtomicInteger();

  /** An open arena, and what it allocated. */
  private record Held(Arena arena, Owner owner, List<Request> requests) {}

  private final ArenaPool pool;
  private final Checker checker;
  private final Owner.Kind kind;
  private final int thread = THREADS.incrementAndGet();
  private final SplittableRandom random = new SplittableRandom();
  private final List<Held> open = new ArrayList<>();

  private int arenas;
  private long closed;

  Walk(ArenaPool pool, Checker checker, Owner.Kind kind) {
    this.pool = pool;
    this.checker = checker;
    this.kind = kind;
  }

  /**
   * Makes the steps.
   *
   * @return how many arenas were closed that had used a block
   */
  long run(int steps) {
    int deepest = 1 + Math.min(random.nextInt(DEEPEST), random.nextInt(DEEPEST));
    for (int i = 0; i < steps; i++) {
      step(deepest);
    }
    while (!open.isEmpty()) {
      close();
    }
    return closed;
  }

  private void step(int deepest) {
    int percent = random.nextInt(100);
    if (percent == 0) {
      useInALoop();
    } else if (percent < 10) {
      pause();
    } else if (!open.isEmpty() && (percent < 40 || open.size() >= deepest)) {
      close();
    } else if (!open.isEmpty() && percent < 60) {
      allocate(open.get(random.nextInt(open.size())));
    } else {
      open();
    }
  }

  /**
   * Waits in one of several ways, after each of which a virtual thread may be on another carrier.
   */
  @SuppressWarnings("ThreadPriorityCheck") // any order will do
  private void pause() {
    int percent = random.nextInt(100);
    if (percent == 0) {
      LockSupport.parkNanos(1_000_000);
    } else if (percent < 5) {
      LockSupport.parkNanos(1);
    } else if (percent < 20) {
      synchronized (MONITOR) {
        Thread.yield();
      }
    } else {
      Thread.yield();
    }
  }

  private Owner nextOwner() {
    return new Owner(kind, thread, ++arenas);
  }

  /** One in sixteen may well be closed without an allocation. */
  private void open() {
    Held held = new Held(pool.take(), nextOwner(), new ArrayList<>());
    open.add(held);
    if (random.nextInt(16) != 0) {
      allocate(held);
    }
  }

  private void allocate(Held held) {
    held.requests.add(Request.make(held.arena, random, checker, held.owner));
  }

  /** Closes any of those that are open. */
  private void close() {
    Held held = open.remove(random.nextInt(open.size()));
    held.requests.forEach(each -> checker.giveBack(each.memory()));
    held.arena.close();
    closed += held.requests.stream().anyMatch(each -> each.fits(pool.blockByteSize())) ? 1 : 0;
  }

  /** Arenas that C2 makes vanish, as those above are kept too long for that. */
  private void useInALoop() {
    Owner owner = nextOwner();
    int byteSize = random.nextInt(512);
    for (int i = 0; i < HOT; i++) {
      try (Arena arena = pool.take()) {
        MemorySegment memory = arena.allocate(byteSize);
        Marks.checkZero(memory, owner);
        Marks.write(memory, owner.mark());
        Marks.checkUntouched(memory, owner);
      }
    }
    closed += Request.fits(byteSize, 1, pool.blockByteSize()) ? HOT : 0;
  }
}
