package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rockpool.arena.ArenaContract.Use;
import dev.rockpool.arena.ArenaKind.TestPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Whatever is done to arenas, in whatever order: ours do what the JDK's do. The few steps that move
 * blocks are tried in each order, and what else may be done at random. A failure prints all steps
 * of its sequence, and the seed, which repeats it if added to those of the test.
 */
class TwinsTest {
  private static final int SEQUENCES = 50;

  private static final long[] BAD_SIZES = {-1, Long.MIN_VALUE, 1L << 62, Long.MAX_VALUE - 7};
  private static final long[] BAD_ALIGNMENTS = {0, -1, 24, 65, Long.MIN_VALUE, Long.MAX_VALUE};

  /** One more thread, for misuse: it stays, so that handing work over costs little. */
  private static final ExecutorService OTHER_THREAD = Executors.newSingleThreadExecutor();

  @AfterAll
  static void endOtherThread() {
    OTHER_THREAD.close();
  }

  /** Each digit of an order is a step. */
  @ParameterizedTest
  @EnumSource(names = {"BLOCK_64_X1", "BLOCK_512_X8"})
  void oursDoWhatTheJdksDoInEachOrderOfSteps(ArenaKind kind) {
    TestPool pool = kind.newPool();
    for (int order = 0; order < 6 * 6 * 6 * 6 * 6; order++) {
      Sequence sequence = new Sequence(kind, pool, "order " + order);
      for (int i = 0, left = order; i < 5; i++, left /= 6) {
        sequence.step(left % 6);
      }
      sequence.end();
    }
    pool.free();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "JDK")
  void oursDoWhatTheJdksDoInRandomOrders(ArenaKind kind) throws Throwable {
    for (long seed : new long[] {1, 2, 3, new SplittableRandom().nextLong()}) {
      for (ThreadKind threads : ThreadKind.values()) {
        threads.run(() -> runAtRandom(kind, seed));
      }
    }
  }

  private static void runAtRandom(ArenaKind kind, long seed) {
    TestPool pool = kind.newPool();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < SEQUENCES; i++) {
      Sequence sequence = new Sequence(kind, pool, "seed " + seed);
      for (int left = random.nextInt(5, 20); left > 0; left--) {
        sequence.step(random);
      }
      sequence.end();
    }
    pool.free();
  }

  /** The same arena twice, each with its segments, and with what its cleanup actions noted. */
  private record Twin(int number, Side jdk, Side ours) {
    boolean isAlive() {
      return jdk.arena.scope().isAlive();
    }
  }

  private record Side(Arena arena, List<MemorySegment> segments, List<String> notes) {
    Side(Arena arena) {
      this(arena, new ArrayList<>(), new ArrayList<>());
    }
  }

  /** Steps, each of which is done to both twins. */
  private static final class Sequence {
    private final TestPool pool;
    private final int block;
    private final StringBuilder steps;
    private final List<Twin> twins = new ArrayList<>();

    Sequence(ArenaKind kind, TestPool pool, String name) {
      this.pool = pool;
      block = kind.blockByteSize();
      steps = new StringBuilder(kind + ", " + name);
      open();
    }

    private List<Twin> alive() {
      return twins.stream().filter(Twin::isAlive).toList();
    }

    private void open() {
      steps.append("\nopen arena ").append(twins.size());
      twins.add(new Twin(twins.size(), new Side(Arena.ofConfined()), new Side(pool.open())));
    }

    /** Most steps need an open arena, and are misuse without. */
    void step(int digit) {
      List<Twin> open = alive();
      Twin newest = open.isEmpty() ? twins.getLast() : open.getLast();
      Twin oldest = open.isEmpty() ? newest : open.getFirst();
      switch (digit) {
        case 0 -> open();
        case 1 -> use(true, newest, "24 bytes", arena -> arena.allocate(24));
        case 2 -> use(true, newest, "a block", arena -> arena.allocate(block));
        case 3 -> use(true, newest, "more", arena -> arena.allocate(block + 1));
        case 4 -> use(true, newest, "close", ArenaContract::close);
        default -> use(true, oldest, "close", ArenaContract::close);
      }
    }

    void step(SplittableRandom random) {
      boolean here = random.nextInt(16) != 0;
      List<Twin> open = alive();
      List<Twin> candidates = open.isEmpty() || random.nextInt(8) == 0 ? twins : open;
      Twin twin = candidates.get(random.nextInt(candidates.size()));
      long size = random.nextInt(10) == 0 ? any(BAD_SIZES, random) : goodSize(random);
      long power = 1L << random.nextInt(random.nextInt(6) == 0 ? 13 : 8);
      long alignment = random.nextInt(10) == 0 ? any(BAD_ALIGNMENTS, random) : power;
      String what = size + " bytes aligned to " + alignment;
      int length = goodSize(random) / Long.BYTES;
      long[] longs = random.longs(length).toArray();
      switch (random.nextInt(12)) {
        case 0, 1 -> open();
        case 2, 3, 4, 5 -> use(here, twin, what, arena -> arena.allocate(size, alignment));
        case 6 -> use(here, twin, "long", arena -> arena.allocateFrom(JAVA_LONG, length));
        case 7 -> use(here, twin, length + " longs", arena -> arena.allocateFrom(JAVA_LONG, longs));
        case 8 -> use(here, twin, length + " é", arena -> arena.allocateFrom("é".repeat(length)));
        case 9 -> use(here, twin, "add action", arena -> addAction(twin, arena));
        default -> use(here, twin, "close", ArenaContract::close);
      }
    }

    /** Small, around the end of the block, or somewhere in it or beyond. */
    private int goodSize(SplittableRandom random) {
      return switch (random.nextInt(4)) {
        case 0 -> block + random.nextInt(-24, 4);
        case 1 -> random.nextInt(2 * block);
        default -> random.nextInt(40);
      };
    }

    private static long any(long[] values, SplittableRandom random) {
      return values[random.nextInt(values.length)];
    }

    /** Adds an action that notes what can still be done to the arena, and then may throw. */
    private String addAction(Twin twin, Arena arena) {
      List<String> notes = arena == twin.jdk.arena ? twin.jdk.notes : twin.ours.notes;
      String name = "action " + steps.length();
      ArenaContract.onClose(
          arena,
          _ -> {
            notes.add(name + Outcome.of(() -> arena.allocate(8)));
            notes.add(name + Outcome.of(() -> ArenaContract.close(arena)));
            if (name.hashCode() % 3 == 0) {
              throw new IllegalArgumentException(name);
            }
          });
      return "added";
    }

    /** Puts both twins to the same use; compares the outcome, and then all that there is. */
    private void use(boolean here, Twin twin, String what, Use use) {
      steps.append("\narena ").append(twin.number).append(": ").append(what);
      steps.append(here ? "" : ", on another thread");
      checkSame("outcome", attempt(here, twin.jdk, use), attempt(here, twin.ours, use));
      for (Twin each : twins) {
        checkSame("alive", each.isAlive(), each.ours.arena.scope().isAlive());
        // In no order: see CleanupActionTest.
        checkSame("actions", sorted(each.jdk.notes), sorted(each.ours.notes));
        for (int i = 0; i < each.jdk.segments.size() && each.isAlive(); i++) {
          long different = each.jdk.segments.get(i).mismatch(each.ours.segments.get(i));
          checkSame("contents", -1L, different);
        }
      }
    }

    private List<String> attempt(boolean here, Side side, Use use) {
      try {
        String outcome =
            here ? attempt(side, use) : OTHER_THREAD.submit(() -> attempt(side, use)).get();
        return sorted(List.of(outcome.replaceFirst("throws ", "").split("; suppressed ")));
      } catch (InterruptedException | ExecutionException unexpected) {
        throw new AssertionError(steps.toString(), unexpected);
      }
    }

    /** The outcome; a new segment's contents are part of it, and then are replaced by a mark. */
    private String attempt(Side side, Use use) {
      return Outcome.of(
          () -> {
            Object result = use.of(side.arena);
            if (!(result instanceof MemorySegment segment)) {
              return result;
            }
            String contents = Outcome.of(() -> segment);
            side.segments.add(segment.fill((byte) steps.length()));
            return contents;
          });
    }

    private static List<String> sorted(List<String> texts) {
      return texts.stream().sorted().toList();
    }

    private void checkSame(String what, Object jdk, Object ours) {
      if (!jdk.equals(ours)) {
        throw new AssertionError(
            "%s:%nJDK: %s%nours: %s%nSteps of %s".formatted(what, jdk, ours, steps));
      }
    }

    /** Closes all arenas and checks the pool. */
    void end() {
      alive().forEach(twin -> use(true, twin, "close", ArenaContract::close));
      try {
        pool.checkInvariants();
      } catch (AssertionError violated) {
        throw new AssertionError("Steps of " + steps, violated);
      }
    }
  }
}
