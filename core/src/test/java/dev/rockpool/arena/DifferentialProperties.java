package dev.rockpool.arena;

import dev.rockpool.arena.ArenaKind.TestPool;
import dev.rockpool.arena.Twins.TwinArena;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Whatever is done to arenas, in whatever order: ours do what the JDK's do.
 *
 * <p>The few steps that move blocks are tried in each order. What else may be done is tried at
 * random. A try of jqwik is a seed from which many sequences of operations are derived, since jqwik
 * itself takes longer for a try than a sequence does: {@value #TRIES} times {@value
 * #SEQUENCES_PER_TRY} sequences in a build. A failure prints all steps of its sequence, and the
 * seed of the try, which repeats it: {@code oursDoWhatTheJdksDo(seed)}.
 */
class DifferentialProperties {
  private static final int TRIES = 30;
  private static final int SEQUENCES_PER_TRY = 100;

  /** Kinds of steps, and the number of steps of an order. */
  private static final int STEPS = 6;

  private static final int LENGTH = 5;

  private static final List<ArenaKind> KINDS =
      Arrays.stream(ArenaKind.values()).filter(kind -> kind != ArenaKind.JDK).toList();

  /** One more thread, for misuse: it stays, so that handing work over costs little. */
  private static final ExecutorService OTHER_THREAD = Executors.newSingleThreadExecutor();

  @AfterContainer
  static void endOtherThread() {
    OTHER_THREAD.close();
  }

  @Provide
  Arbitrary<Long> seeds() {
    return Arbitraries.randomValue(RandomGenerator::nextLong);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
  void oursDoWhatTheJdksDo(@ForAll("seeds") long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    if (random.nextInt(4) == 0) {
      ThreadKind.VIRTUAL.call(() -> run(random));
    } else {
      run(random);
    }
  }

  @Example
  void oursDoWhatTheJdksDoInEachOrderOfSteps() {
    for (ArenaKind kind :
        List.of(ArenaKind.BLOCK_64_X1, ArenaKind.BLOCK_512_X8, ArenaKind.BLOCK_8192_X2)) {
      TestPool pool = kind.newPool();
      for (int order = 0; order < Math.pow(STEPS, LENGTH); order++) {
        runInOrder(new Twins(kind, pool, OTHER_THREAD), order, kind.blockByteSize());
      }
      pool.checkInvariants();
      pool.free();
    }
  }

  /** Each digit of {@code order} is a step; most need an open arena, and are misuse without. */
  private static void runInOrder(Twins twins, int order, int blockByteSize) {
    twins.open();
    for (int i = 0, left = order; i < LENGTH; i++, left /= STEPS) {
      List<TwinArena> open = twins.arenas.stream().filter(TwinArena::isAlive).toList();
      TwinArena newest = open.isEmpty() ? twins.arenas.getLast() : open.getLast();
      TwinArena oldest = open.isEmpty() ? newest : open.getFirst();
      switch (left % STEPS) {
        case 0 -> twins.open();
        case 1 -> allocate(twins, newest, 24);
        case 2 -> allocate(twins, newest, blockByteSize);
        case 3 -> allocate(twins, newest, BlockPool.LARGE_BYTE_SIZE);
        case 4 -> close(twins, newest);
        default -> close(twins, oldest);
      }
    }
    twins.arenas.stream().filter(TwinArena::isAlive).forEach(arena -> close(twins, arena));
    twins.checkPool();
  }

  private static void allocate(Twins twins, TwinArena arena, int byteSize) {
    twins.allocate(
        true, arena, 1, "allocate " + byteSize, either -> either.allocate(byteSize).fill((byte) 7));
  }

  private static void close(Twins twins, TwinArena arena) {
    twins.use(
        true,
        arena,
        "close",
        either -> {
          either.close();
          return "closed";
        });
  }

  private static Void run(SplittableRandom random) {
    ArenaKind kind = KINDS.get(random.nextInt(KINDS.size()));
    TestPool pool = kind.newPool();
    for (int i = 0; i < SEQUENCES_PER_TRY; i++) {
      Twins twins = new Twins(kind, pool, OTHER_THREAD);
      new TwinSequence(twins, kind.blockByteSize(), random.split()).run();
    }
    pool.checkInvariants();
    pool.free();
    return null;
  }
}
