package dev.rockpool.structs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * Sixteen times down into C and up into Java again, each time with another kind of struct. One
 * thread at a time uses it.
 *
 * <p>Each level uses its argument again after all that is below it, and finds the argument of the
 * level below dead. The result must be the one that C finds alone.
 *
 * <p>An exception can't leave an upcall: it is caught there, handed over the C function below, and
 * thrown again, up to the level that recovers and goes down once more.
 */
final class Chain {
  static final int DEPTH = 16;

  /** So many chains at a time: C passes the number of the chain through. */
  static final int MOST = 64;

  private static final Chain[] CHAINS = new Chain[MOST];

  private static final long LARGEST =
      ChainLink.ALL.stream().mapToLong(each -> each.struct.layout().byteSize()).max().getAsLong();

  /** The failure at the deepest point. */
  enum Failure {
    NONE,
    /** In Java code of the deepest upcall. */
    THROWN,
    /** Inside a downcall that returns a struct, where memory is asked for it. */
    ALLOCATOR,
    /** Inside a downcall, of which an argument is closed. */
    CLOSED_ARGUMENT
  }

  /** Thrown at the deepest point. */
  private static final class Deepest extends RuntimeException {
    private static final long serialVersionUID = 1;

    Deepest() {
      super("at the deepest point", null, false, false);
    }
  }

  private final int number;
  private final Findings findings;

  /** The memory from which C copies a result once the upcall has returned: one for each level. */
  private final MemorySegment[] results = new MemorySegment[DEPTH];

  private final MemorySegment[] arguments = new MemorySegment[DEPTH];
  private Failure failure = Failure.NONE;
  private int recoversAt;
  private boolean collects;
  private RuntimeException pending;
  private int caught;

  Chain(int number, Findings findings) {
    this.number = number;
    this.findings = findings;
    for (int i = 0; i < DEPTH; i++) {
      results[i] = Arena.global().allocate(LARGEST, 16);
    }
    CHAINS[number] = this;
  }

  static Chain in(int number) {
    return CHAINS[number];
  }

  int number() {
    return number;
  }

  /** Collects garbage at the deepest point of the next run. */
  Chain collecting() {
    collects = true;
    return this;
  }

  /**
   * Runs once. The failure is handed upward to the level that recovers; with {@link #DEPTH}, that
   * is whoever called this.
   */
  void run(ChainLink first, long seed, Failure nextFailure, int recoveringLevel) {
    failure = nextFailure;
    recoversAt = recoveringLevel;
    pending = null;
    caught = 0;
    boolean fails = failure != Failure.NONE;
    long found;
    try {
      found = down(first, seed);
    } catch (Deepest | IllegalStateException thrown) {
      caught++;
      findings.check(recoversAt == DEPTH, "%s came through", thrown);
      found = down(first, seed);
    }
    findings.check(caught == (fails ? recoversAt + 1 : 0), "caught %d times", caught);
    findings.checkEqual(
        first.downInC(seed, DEPTH - 1),
        found,
        "chain from %s, %s recovered at %d",
        first.struct,
        nextFailure,
        recoversAt);
    collects = false;
  }

  private long down(ChainLink first, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = first.struct.make(arena, seed);
      MemorySegment result = first.down(arena, argument, DEPTH - 1, number);
      throwPending();
      checkDead(DEPTH - 1);
      return first.struct.hash(result);
    }
  }

  /** Called by C; may not throw. */
  MemorySegment up(ChainLink link, MemorySegment argument, int depth) {
    long answer = 0;
    try {
      arguments[depth] = argument;
      answer = answer(link, argument, depth);
    } catch (Deepest | IllegalStateException thrown) {
      caught++;
      if (depth == recoversAt) {
        answer = answer(link, argument, depth);
      } else {
        pending = thrown;
      }
    } catch (Throwable unexpected) {
      findings.add("at depth " + depth + ": " + unexpected);
    }
    // Not more than the struct: the linker would copy all of it to where C has room for that alone.
    long size = link.struct.layout().byteSize();
    return link.struct.fill(results[depth].asSlice(0, size), answer);
  }

  private long answer(ChainLink link, MemorySegment argument, int depth) {
    long before = link.struct.hash(argument);
    if (depth == 0) {
      failOnce(link, argument);
      if (collects) {
        System.gc();
      }
      findings.checkEqual(before, link.struct.hash(argument), "deepest argument");
      return CStruct.mix(before, 77);
    }
    ChainLink next = link.next();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment given = next.struct.make(arena, CStruct.mix(before, depth));
      MemorySegment result = next.down(arena, given, depth - 1, number);
      throwPending();
      checkDead(depth - 1);
      long after = link.struct.hash(argument);
      findings.checkEqual(before, after, "argument at depth %d", depth);
      return CStruct.mix(CStruct.mix(before, after), next.struct.hash(result));
    }
  }

  private void failOnce(ChainLink link, MemorySegment argument) {
    Failure how = failure;
    failure = Failure.NONE;
    switch (how) {
      case NONE -> {}
      case THROWN -> throw new Deepest();
      case ALLOCATOR -> {
        SegmentAllocator failing =
            (size, alignment) -> {
              throw new Deepest();
            };
        link.invert(failing, argument);
        findings.add("no exception from the allocator");
      }
      case CLOSED_ARGUMENT -> {
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
          closed = link.struct.make(arena, 1);
        }
        link.invert(Arena.global(), closed);
        findings.add("no exception from the closed argument");
      }
    }
  }

  private void throwPending() {
    if (pending != null) {
      RuntimeException thrown = pending;
      pending = null;
      throw thrown;
    }
  }

  /** The argument of an upcall lives until that returns, not longer. */
  private void checkDead(int depth) {
    try {
      byte read = arguments[depth].get(ValueLayout.JAVA_BYTE, 0);
      findings.add("read " + read + " from the finished upcall at depth " + depth);
    } catch (IllegalStateException expected) {
      findings.check(!arguments[depth].scope().isAlive(), "alive, and throws %s", expected);
    }
  }
}
