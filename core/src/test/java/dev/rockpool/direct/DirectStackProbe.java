package dev.rockpool.direct;

import static java.util.Objects.requireNonNull;

import dev.rockpool.child.Marked;
import dev.rockpool.child.StackEnd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Allocates direct memory, and frees it, where a stack ends, each time a frame further from its
 * end, until that goes well; so do arenas, and a thread that stands in line. Fails if what is
 * handed out is not zero or is in other hands, if more is reserved than was asked for, or if what
 * was handed out can't be freed. Says what stays reserved when all is free.
 */
final class DirectStackProbe {
  private static final long LIMIT = 1 << 30;

  /** From the C library, kept, and mapped pages that are kept. */
  private static final int[] BYTE_SIZES = {100, 5_000, 70_000, 300_000};

  /** So many that the table of blocks grows, while some are freed. */
  private static final int ROUNDS = 96;

  private static final int LIVE = 60;

  private static final int FILLS = 12;
  private static final int CONTENDED_ROUNDS = 24;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final DirectMemory memory = DirectMemory.ofLimit(LIMIT);
  private final DirectMemory narrow = DirectMemory.ofLimit(100);
  private final ArrayDeque<MemorySegment> live = new ArrayDeque<>();
  private int overflows;
  private long asked;

  private @Nullable MemorySegment allocated;
  private @Nullable MemorySegment contended;
  private @Nullable Arena arena;
  private volatile boolean contends = true;

  private void allocate(int byteSize) {
    asked += byteSize;
    allocated = memory.allocate(byteSize, 1);
  }

  /** It may be closed already, by an attempt that did not get further than that. */
  private void free(MemorySegment segment) {
    if (segment.scope().isAlive()) {
      memory.free(segment);
    }
  }

  private void round(int round) throws Throwable {
    int byteSize = BYTE_SIZES[round % BYTE_SIZES.length];
    int fill = round % FILLS;
    overflows += StackEnd.reach(() -> allocate(byteSize), fill);
    MemorySegment segment = requireNonNull(allocated);
    replace(segment, 0, segment.address());
    live.add(segment);
    if (live.size() > LIVE || round % 3 == 0) {
      MemorySegment oldest = live.remove();
      replace(oldest, oldest.address(), -1);
      overflows += StackEnd.reach(() -> free(oldest), fill);
    }
    if (memory.reserved() > asked) {
      throw new AssertionError("reserved " + memory.reserved() + ", asked for " + asked);
    }
  }

  /** All whole words of it. */
  private static void replace(MemorySegment memory, long expected, long mark) {
    Marked.replace(memory.asSlice(0, memory.byteSize() & -Long.BYTES), expected, mark);
  }

  private void closeArena() {
    if (arena != null && arena.scope().isAlive()) {
      arena.close();
    }
    arena = null;
  }

  private void useArenas(boolean shared) {
    closeArena();
    arena = shared ? memory.ofShared() : memory.ofConfined();
    arena.allocate(100);
    arena.allocate(5_000, 64);
    closeArena();
    memory.ofAuto().allocate(100);
  }

  private void arenas(int round) throws Throwable {
    overflows += StackEnd.reach(() -> useArenas(round % 2 == 0), round % FILLS);
    closeArena();
  }

  /** Most of it is in the hands of another thread over and over, so this one stands in line. */
  private void contend(int round) throws Throwable {
    overflows += StackEnd.reach(() -> contended = narrow.allocate(60, 1), round % FILLS);
    MemorySegment mine = requireNonNull(contended);
    contended = null;
    narrow.free(mine);
  }

  private void takeOverAndOver() {
    while (contends) {
      narrow.free(narrow.allocate(60, 1));
    }
  }

  private void run() throws Throwable {
    for (int byteSize : BYTE_SIZES) { // has all classes initialized where there is stack
      memory.free(memory.allocate(byteSize, 1));
    }
    useArenas(true);
    Thread other = Thread.ofPlatform().daemon().start(this::takeOverAndOver);
    for (int i = 0; i < 100; i++) { // has them meet in line where there is stack
      narrow.free(narrow.allocate(60, 1));
    }
    for (int round = 0; round < ROUNDS; round++) {
      round(round);
      arenas(round);
      if (round < CONTENDED_ROUNDS) {
        contend(round);
      }
    }
    contends = false;
    other.join();
    for (MemorySegment segment : live) {
      replace(segment, segment.address(), -1);
      memory.free(segment);
    }
    memory.keptMemory().checkInvariants();
    awaitAll();
    System.out.println("overflows=" + overflows);
    System.out.println("lost=" + (memory.reserved() + narrow.reserved()));
    System.out.println("in line=" + narrow.budget().line().length());
  }

  /** The background and the collector finish a free that an overflow left half-done. */
  private void awaitAll() {
    long start = System.nanoTime();
    while (memory.reserved() + narrow.reserved() > 0
        && System.nanoTime() - start < PATIENCE_NANOS) {
      System.gc();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(() -> new DirectStackProbe().run());
  }
}
