package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Each benchmark works, its own checks included. No figures: it is not compiled yet. Those for
 * other kinds of JVM need one of their own, and are left to the command line's tests.
 */
class EveryBenchmarkTest {
  static {
    // Another JMH on the machine is no reason to fail a build. Read when JMH's classes are loaded.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void runs() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("\\.[a-z][A-Za-z]+$")
            .exclude("UnderAgent|Interpreted|C1")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    List<String> names =
        new Runner(options)
            .run().stream().map(result -> result.getParams().getBenchmark()).distinct().toList();

    assertThat(names)
        .contains(
            AllocateFromInt.class.getName() + ".jdk",
            AllocateFromString.class.getName() + ".rockpool",
            ConfinedAllocation.class.getName() + ".lwjglStack",
            EmptyArena.class.getName() + ".nothing",
            Escaping.class.getName() + ".ownPool",
            StringToStrlen.class.getName() + ".callOnly",
            ThreeAllocations.class.getName() + ".threadLocalPool",
            TwoOpenArenas.class.getName() + ".rockpool");
  }
}
