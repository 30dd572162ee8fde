package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.bench.direct.DirectByteBufferAlloc;
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
            BesideOpenArenas.class.getName() + ".rockpool",
            BesideOtherArenas.class.getName() + ".jdk",
            CaptureStateUtilBench.class.getName() + ".callState",
            ConfinedAllocation.class.getName() + ".lwjglStack",
            ConfinedAllocation.class.getName() + ".slicingAllocator",
            Escaping.class.getName() + ".rockpool",
            PointsAlloc.class.getName() + ".byValue",
            StringToStrlen.class.getName() + ".lwjglStack",
            ThreeAllocations.class.getName() + ".lwjglStack",
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
                .forks(0));

    assertThat(names)
        .contains(
            DirectByteBufferAlloc.OfFourThreads.class.getCanonicalName() + ".rockpool",
            DirectByteBufferGC.class.getName() + ".rockpool");
  }
}
