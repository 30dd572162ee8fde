package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.bench.direct.DirectByteBufferAlloc;
import dev.rockpool.bench.direct.DirectByteBufferChurn;
import dev.rockpool.bench.direct.DirectByteBufferClean;
import dev.rockpool.bench.direct.DirectByteBufferGC;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Each benchmark works, its own checks included. No figures: it is not compiled yet. Those under
 * the agent and on virtual threads are left to {@code ModesIT}.
 */
class EveryBenchmarkTest {
  static {
    // Another JMH on the machine is no reason to fail a build. Read when JMH's classes are loaded.
    System.setProperty("jmh.ignoreLock", "true");
  }

  private static List<String> run(ChainedOptionsBuilder options) throws RunnerException {
    Options all =
        options
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    return new Runner(all)
        .run().stream().map(result -> result.getParams().getBenchmark()).distinct().toList();
  }

  @Test
  void runs() throws RunnerException {
    List<String> names =
        run(
            new OptionsBuilder()
                .include("\\.[a-z][A-Za-z0-9_]+$")
                .exclude("\\.captureStateUtil|\\.direct\\.")
                .forks(0));

    assertThat(names)
        .contains(
            AllocateFromInt.class.getName() + ".jdk",
            AllocateFromString.class.getName() + ".rockpool",
            ArenaPoolBench.class.getName() + ".pooled2",
            ArenaPoolFromBench.class.getName() + ".confinedString",
            ByValueIntoArena.class.getName() + ".rockpool",
            CaptureStateUtilBench.class.getName() + ".adaptedSysCallFail",
            ConfinedAllocation.class.getName() + ".lwjglStack",
            ConfinedAllocation.class.getName() + ".slicingAllocator",
            EmptyArena.class.getName() + ".nothing",
            Escaping.class.getName() + ".ownPool",
            LargerAllocation.class.getName() + ".rockpool",
            ManyAllocations.class.getName() + ".lwjglStack",
            PointsAlloc.class.getName() + ".circle_by_value",
            StringToStrlen.class.getName() + ".callOnly",
            ThreeAllocations.class.getName() + ".threadLocalPool",
            TwoOpenArenas.class.getName() + ".rockpool");
  }

  @Test
  void runsOnDirectMemory() throws RunnerException {
    List<String> names =
        run(
            new OptionsBuilder()
                .include("\\.direct\\.")
                .param("size", "4096")
                .param("count", "1000")
                .param("recipFreq", "128")
                .forks(0));

    assertThat(names)
        .contains(
            DirectByteBufferAlloc.OfFourThreads.class.getCanonicalName() + ".rockpool",
            DirectByteBufferChurn.class.getName() + ".jdk",
            DirectByteBufferClean.class.getName() + ".allocateAndClean",
            DirectByteBufferGC.class.getName() + ".rockpool");
  }
}
