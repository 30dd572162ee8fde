package dev.rockpool.arena;

import dev.rockpool.arena.ArenaKind.TestPool;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Whatever is done to arenas, in whatever order: ours do what the JDK's do.
 *
 * <p>A try of jqwik is a seed from which many sequences of operations are derived, since jqwik
 * itself takes longer for a try than a sequence does: {@value #TRIES} times {@value
 * #SEQUENCES_PER_TRY} sequences in a build. A failure prints all steps of its sequence, and the
 * seed of the try, which repeats it: {@code oursDoWhatTheJdksDo(seed)}.
 */
class DifferentialProperties {
  private static final int TRIES = 1_250;
  private static final int SEQUENCES_PER_TRY = 100;

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
