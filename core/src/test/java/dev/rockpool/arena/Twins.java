package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rockpool.arena.ArenaKind.TestPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Arenas of the JDK and their twins from a pool, and the segments of both: whatever is done is done
 * to both twins, and has to have the same outcome. Keeps a record of the steps, for the message.
 */
final class Twins {
  /** The same arena twice, each with what its cleanup actions noted. */
  record TwinArena(
      int number, Arena jdk, Arena ours, List<String> jdkNotes, List<String> ourNotes) {
    boolean isAlive() {
      return jdk.scope().isAlive();
    }

    List<String> notesOf(Arena either) {
      return either == jdk ? jdkNotes : ourNotes;
    }
  }

  /** The same segment twice. */
  record TwinSegment(int number, TwinArena arena, MemorySegment jdk, MemorySegment ours) {}

  /** An action on each of two twins. */
  @FunctionalInterface
  interface Use<T> {
    Object of(T either) throws Throwable;
  }

  final List<TwinArena> arenas = new ArrayList<>();
  final List<TwinSegment> segments = new ArrayList<>();

  private final ArenaKind kind;
  private final TestPool pool;
  private final ExecutorService otherThread;
  private final StringBuilder steps = new StringBuilder();
  private int stepCount;

  Twins(ArenaKind kind, TestPool pool, ExecutorService otherThread) {
    this.kind = kind;
    this.pool = pool;
    this.otherThread = otherThread;
  }

  int stepCount() {
    return stepCount;
  }

  void open() {
    note(" open arena " + arenas.size());
    arenas.add(
        new TwinArena(
            arenas.size(), Arena.ofConfined(), pool.open(), new ArrayList<>(), new ArrayList<>()));
  }

  /** Does {@code use}, which returns a new segment unless it throws. */
  void allocate(boolean here, TwinArena arena, long alignment, String what, Use<Arena> use) {
    Object[] results = both(here, "arena " + arena.number, arena.jdk, arena.ours, what, use);
    if (results[0] instanceof MemorySegment jdk && results[1] instanceof MemorySegment ours) {
      checkSameContents(jdk, ours);
      if (ours.address() % (isOfBlocks(arena.ours) ? Math.max(alignment, 16) : alignment) != 0) {
        throw failure("an address aligned to " + alignment, ours);
      }
      if (!ours.scope().equals(arena.ours.scope()) || ours.isReadOnly()) {
        throw failure("a segment of the arena", ours);
      }
      checkDisjoint(ours);
      segments.add(new TwinSegment(segments.size(), arena, jdk, ours));
    } else {
      checkSameOutcome(results);
    }
    checkSameState(arena);
  }

  /**
   * Arenas of JDK 28 align small segments as asked, those of others to 16 bytes, as malloc does.
   */
  private static boolean isOfBlocks(Arena arena) {
    return Runtime.version().feature() < 28
        || (arena instanceof BlockArena ofBlocks && ofBlocks.isServedByPool());
  }

  void use(boolean here, TwinArena arena, String what, Use<Arena> use) {
    checkSameOutcome(both(here, "arena " + arena.number, arena.jdk, arena.ours, what, use));
    checkSameState(arena);
  }

  void access(boolean here, TwinSegment segment, String what, Use<MemorySegment> use) {
    checkSameOutcome(both(here, "segment " + segment.number, segment.jdk, segment.ours, what, use));
    checkSameState(segment.arena);
    if (segment.arena.isAlive()) {
      checkSameContents(segment.jdk, segment.ours);
    }
  }

  /** Fails unless all is as it should be once every arena is closed. */
  void checkPool() {
    note(" check the pool");
    try {
      pool.checkInvariants();
    } catch (AssertionError violated) {
      throw failure("invariants to hold", violated);
    }
  }

  private void note(String step) {
    steps.append('\n').append(++stepCount).append('.').append(step);
  }

  /** The two results, or what was thrown, for the JDK first. */
  private <T> Object[] both(boolean here, String who, T jdk, T ours, String what, Use<T> use) {
    note((here ? " " : " on another thread, ") + who + ": " + what);
    if (here) {
      return new Object[] {attempt(jdk, use), attempt(ours, use)};
    }
    try {
      return otherThread.submit(() -> new Object[] {attempt(jdk, use), attempt(ours, use)}).get();
    } catch (Exception unexpected) {
      throw new AssertionError("the other thread failed" + steps, unexpected);
    }
  }

  private static <T> Object attempt(T either, Use<T> use) {
    try {
      return use.of(either);
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  private void checkSameOutcome(Object[] results) {
    String jdk = outcome(results[0]);
    String ours = outcome(results[1]);
    if (!jdk.equals(ours)) {
      throw failure(jdk, ours);
    }
  }

  /** Result in words; exceptions of several cleanup actions sorted, as nothing says their order. */
  private static String outcome(Object result) {
    if (!(result instanceof Throwable thrown)) {
      return Outcome.of(() -> result);
    }
    String[] parts =
        Outcome.of(
                () -> {
                  throw thrown;
                })
            .replaceFirst("throws ", "")
            .split("; suppressed ");
    Arrays.sort(parts);
    return "throws " + String.join(" and ", parts);
  }

  private void checkSameState(TwinArena arena) {
    if (arena.ours.scope().isAlive() != arena.isAlive()) {
      throw failure("alive: " + arena.isAlive(), "alive: " + arena.ours.scope().isAlive());
    }
    // In no order: see CleanupActionTest.
    if (!arena.jdkNotes.isEmpty() || !arena.ourNotes.isEmpty()) {
      List<String> jdk = arena.jdkNotes.stream().sorted().toList();
      List<String> ours = arena.ourNotes.stream().sorted().toList();
      if (!jdk.equals(ours)) {
        throw failure("actions: " + jdk, "actions: " + ours);
      }
    }
  }

  private void checkSameContents(MemorySegment jdk, MemorySegment ours) {
    if (jdk.byteSize() != ours.byteSize() || jdk.mismatch(ours) != -1) {
      throw failure(
          Arrays.toString(jdk.toArray(JAVA_BYTE)), Arrays.toString(ours.toArray(JAVA_BYTE)));
    }
  }

  private void checkDisjoint(MemorySegment segment) {
    long start = segment.address();
    long end = start + Math.max(1, segment.byteSize());
    for (TwinSegment other : segments) {
      long otherStart = other.ours.address();
      long otherEnd = otherStart + Math.max(1, other.ours.byteSize());
      if (start < otherEnd && otherStart < end && other.arena.isAlive()) {
        throw failure("memory of its own, not that of segment " + other, segment);
      }
    }
  }

  private AssertionError failure(Object expected, Object actual) {
    AssertionError failure =
        new AssertionError(
            "%s, after step %d:%nJDK: %s%nours: %s%nSteps:%s"
                .formatted(kind, stepCount, expected, actual, steps));
    if (actual instanceof Throwable cause) {
      failure.initCause(cause);
    }
    return failure;
  }
}
