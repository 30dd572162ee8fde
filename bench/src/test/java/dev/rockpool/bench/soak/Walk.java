package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The work of one thread with a pool: random steps, after which all its arenas are closed. The
 * requests are of the sizes and in the ways that programs ask for.
 */
final class Walk {
  private static final int DEEPEST = 12;
  private static final int HOT = 100;
  private static final String TEXT = "größer als ASCII, \uD83D\uDE00; ".repeat(40);

  /** An allocation takes a multiple of so many bytes, and more for a larger alignment. */
  private static final int GRANULE = 16;

  private static final Object MONITOR = new Object();
  private static final AtomicInteger THREADS = new AtomicInteger();

  /** An open arena, and its memory. */
  private static final class Held {
    final Arena arena;
    final Owner owner;
    final List<Checker.Block> memory = new ArrayList<>();
    boolean usedABlock;

    Held(Arena arena, Owner owner) {
      this.arena = arena;
      this.owner = owner;
    }
  }

  private final ArenaPool pool;
  private final Checker checker;
  private final int thread = THREADS.incrementAndGet();
  private final SplittableRandom random = new SplittableRandom();
  private final List<Held> open = new ArrayList<>();

  private int arenas;
  private long closed;

  Walk(ArenaPool pool, Checker checker) {
    this.pool = pool;
    this.checker = checker;
  }

  /** Makes the steps, and returns how many arenas were closed that had used a block. */
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

  /** Waits in one of several ways, after which a virtual thread may be on another carrier. */
  @SuppressWarnings("ThreadPriorityCheck") // any order will do
  private void pause() {
    int percent = random.nextInt(100);
    if (percent < 5) {
      LockSupport.parkNanos(percent == 0 ? 1_000_000 : 1);
    } else if (percent < 20) {
      synchronized (MONITOR) {
        Thread.yield();
      }
    } else {
      Thread.yield();
    }
  }

  private Owner nextOwner() {
    return new Owner(thread, ++arenas);
  }

  private void open() {
    Held held = new Held(pool.take(), nextOwner());
    open.add(held);
    if (random.nextInt(16) != 0) { // else it may well be closed without an allocation
      allocate(held);
    }
  }

  private void allocate(Held held) {
    long byteAlignment = 1;
    Checker.Block block =
        switch (random.nextInt(10)) {
          case 0 -> checker.takeFilled(string(held.arena), held.owner);
          case 1 -> checker.takeFilled(array(held.arena), held.owner);
          case 2 -> {
            byteAlignment = 1L << random.nextInt(13); // up to a page
            yield checker.take(held.arena.allocate(byteSize(), byteAlignment), held.owner);
          }
          default -> checker.take(held.arena.allocate(byteSize()), held.owner);
        };
    held.memory.add(block);
    held.usedABlock |= fits(block.memory().byteSize(), byteAlignment);
  }

  /** Whether a block has room for this, if nothing else is in it. */
  private boolean fits(long byteSize, long byteAlignment) {
    long footprint = (Math.max(1, byteSize) + GRANULE - 1) & -GRANULE;
    return footprint + Math.max(0, byteAlignment - GRANULE) <= pool.blockByteSize();
  }

  /** Mostly small; one in a hundred is larger than a block of any pool. */
  private long byteSize() {
    int percent = random.nextInt(100);
    int most = percent < 75 ? 64 : percent < 90 ? 512 : percent < 98 ? 4096 : 8192;
    return percent == 99 ? random.nextInt(8193, 40_000) : random.nextInt(most + 1);
  }

  private MemorySegment string(Arena arena) {
    String text = TEXT.substring(0, 1 + random.nextInt(random.nextInt(8) == 0 ? 600 : 40));
    if (Character.isHighSurrogate(text.charAt(text.length() - 1))) {
      text = text.substring(1);
    }
    MemorySegment memory = arena.allocateFrom(text);
    return requireSame(
        Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), (int) memory.byteSize()), memory);
  }

  private MemorySegment array(Arena arena) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 5000 : 100)];
    random.nextBytes(bytes);
    return requireSame(bytes, arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
  }

  private static MemorySegment requireSame(byte[] expected, MemorySegment memory) {
    byte[] found = memory.toArray(ValueLayout.JAVA_BYTE);
    if (!Arrays.equals(expected, found)) {
      throw new AssertionError(
          "Memory must hold what was copied into it: expected=%s, found=%s"
              .formatted(Arrays.toString(expected), Arrays.toString(found)));
    }
    return memory;
  }

  /** Closes any of those that are open. */
  private void close() {
    Held held = open.remove(random.nextInt(open.size()));
    held.memory.forEach(checker::giveBack);
    held.arena.close();
    closed += held.usedABlock ? 1 : 0;
  }

  /** Arenas that C2 makes vanish, as those above are kept too long for that. */
  private void useInALoop() {
    Owner owner = nextOwner();
    int byteSize = random.nextInt(512);
    for (int i = 0; i < HOT; i++) {
      try (Arena arena = pool.take()) {
        MemorySegment memory = arena.allocate(byteSize);
        Checker.requireZero(memory, owner);
        Checker.mark(memory, owner);
        Checker.requireMarked(memory, owner);
      }
    }
    closed += fits(byteSize, 1) ? HOT : 0;
  }
}
