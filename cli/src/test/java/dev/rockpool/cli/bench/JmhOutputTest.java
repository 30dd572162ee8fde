package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JMH 1.37 writes, in the three ways that we read it. */
class JmhOutputTest {
  private static final String JSON =
      """
      [
        {
          "benchmark": "dev.rockpool.bench.ConfinedAllocation.jdk",
          "forks": 3,
          "warmupIterations": 5, "warmupTime": "300 ms",
          "measurementIterations": 10, "measurementTime": "200 ms",
          "params": {"size": "5"},
          "primaryMetric": {"score": 22.3, "scoreError": 0.4, "scoreUnit": "ns/op"},
          "secondaryMetrics": {
            "gc.alloc.rate": {"score": 66.2, "scoreError": 1.0, "scoreUnit": "MB/sec"},
            "gc.alloc.rate.norm": {"score": 48.0, "scoreError": 0.1, "scoreUnit": "B/op"}
          }
        },
        {
          "benchmark": "dev.rockpool.bench.EmptyArena.rockpool",
          "forks": 1,
          "warmupIterations": 1, "warmupTime": "10 ms",
          "measurementIterations": 1, "measurementTime": "10 ms",
          "primaryMetric": {"score": 0.5, "scoreError": "NaN", "scoreUnit": "ns/op"},
          "secondaryMetrics": {}
        }
      ]
      """;

  @TempDir private Path folder;

  private List<Result> read(String json) throws IOException {
    Path file = Files.writeString(folder.resolve("jmh.json"), json);
    return JmhResults.read(file, Samples.OLD, Result.Part.BENCHMARKS);
  }

  @Test
  void resultsHaveTimesErrorsAndGarbage() throws IOException {
    Result result = read(JSON).getFirst();

    assertThat(result.id()).isEqualTo(Samples.id("ConfinedAllocation.jdk", "size", "5"));
    assertThat(result.jvm()).isEqualTo(Samples.OLD);
    assertThat(result.time()).isEqualTo(new Score(22.3, 0.4));
    assertThat(result.garbage()).isEqualTo(new Score(48, 0.1));
    assertThat(result.settings())
        .isEqualTo("3 forks, each 5 x 300 ms to warm up and 10 x 200 ms measured");
  }

  @Test
  void resultsMayLackParametersErrorAndGarbage() throws IOException {
    Result result = read(JSON).getLast();

    assertThat(result.id()).isEqualTo(Samples.id("EmptyArena.rockpool"));
    assertThat(result.time().hasError()).isFalse();
    assertThat(result.garbage().value()).isNaN();
    assertThat(result.settings()).isEqualTo("1 fork, 1 x 10 ms to warm up and 1 x 10 ms measured");
  }

  @Test
  void resultsInAnotherUnitAreRefused() {
    assertThatThrownBy(() -> read(JSON.replace("ns/op", "ops/s")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("jmh.json: times must be in ns/op: they are in ops/s");
  }

  @Test
  void resultsThatBreakOffAreRefused() {
    assertThatThrownBy(() -> read(JSON.substring(0, 300)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("Cannot read JMH's results ");
  }

  @Test
  void listHasEachBenchmarkWithEachValueOfItsParameters() {
    List<String> lines =
        """
        NOTE: Picked up JDK_JAVA_OPTIONS: -Da=b
        Benchmarks:\s
        dev.rockpool.bench.ConfinedAllocation.C1.jdk
          param "size" = {0, 5}
        dev.rockpool.bench.EmptyArena.jdk
        dev.rockpool.bench.Both.jdk
          param "a" = {1, 2}
          param "b" = {x, y}
        """
            .lines()
            .toList();

    assertThat(BenchmarkList.parse(lines))
        .containsExactly(
            Samples.id("ConfinedAllocation.C1.jdk", "size", "0"),
            Samples.id("ConfinedAllocation.C1.jdk", "size", "5"),
            Samples.id("EmptyArena.jdk"),
            Samples.id("Both.jdk", "a", "1", "b", "x"),
            Samples.id("Both.jdk", "a", "1", "b", "y"),
            Samples.id("Both.jdk", "a", "2", "b", "x"),
            Samples.id("Both.jdk", "a", "2", "b", "y"));
  }

  @Test
  void listMayBeEmpty() {
    assertThat(BenchmarkList.parse(List.of("Benchmarks: "))).isEmpty();
  }

  @Test
  void logTellsWhatBeginsSucceedsAndFails() {
    String log =
        """
        # JMH version: 1.37
        # Benchmark: dev.rockpool.bench.ConfinedAllocation.jdk
        # Parameters: (size = 5, note = a, b)

        # Run progress: 0.00% complete, ETA 00:00:03
        # Fork: 1 of 2
        Iteration   1: 0.571 ns/op

        # Run progress: 10.00% complete, ETA 00:00:03
        # Fork: 2 of 2
        Iteration   1: 0.571 ns/op

        Result "dev.rockpool.bench.ConfinedAllocation.jdk":
          22.310 ±(99.9%) 0.104 ns/op [Average]
          (min, avg, max) = (22.1, 22.3, 22.9), stdev = 0.1

        Secondary result "dev.rockpool.bench.ConfinedAllocation.jdk:gc.alloc.rate":
          0.062 MB/sec
        # Benchmark: dev.rockpool.bench.EmptyArena.UnderAgent.jdk

        # Run progress: 20.00% complete, ETA 00:00:03
        # Fork: 1 of 2
        <forked VM failed with exit code 1>
        <stdout last='20 lines'>
        </stdout>
        <stderr last='20 lines'>
        Error opening zip file or JAR manifest missing : agent.jar
        Error occurred during initialization of VM
        </stderr>

        # Benchmark: dev.rockpool.bench.EmptyArena.jdk

        # Run progress: 30.00% complete, ETA 00:00:03
        # Fork: 1 of 2
        # Warmup Iteration   1: <failure>

        java.lang.IllegalStateException: Pooling is off
        	at dev.rockpool.bench
        """;
    List<String> told = new ArrayList<>();

    log.lines()
        .forEach(
            new JmhLog(
                new JmhLog.Listener() {
                  @Override
                  public void begins(BenchmarkId benchmark) {
                    told.add("begins: " + benchmark);
                  }

                  @Override
                  public void succeeded(BenchmarkId benchmark, String score) {
                    told.add("succeeded: " + benchmark + ": " + score);
                  }

                  @Override
                  public void failed(BenchmarkId benchmark, String reason) {
                    told.add("failed: " + benchmark + ": " + reason);
                  }
                }));

    assertThat(told)
        .containsExactly(
            "begins: ConfinedAllocation.jdk note=a, b size=5",
            "succeeded: ConfinedAllocation.jdk note=a, b size=5: 22.310 ±0.104 ns/op",
            "begins: EmptyArena.UnderAgent.jdk",
            "failed: EmptyArena.UnderAgent.jdk: Error opening zip file or JAR manifest missing :"
                + " agent.jar",
            "begins: EmptyArena.jdk",
            "failed: EmptyArena.jdk: java.lang.IllegalStateException: Pooling is off");
  }
}
