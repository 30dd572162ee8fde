package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The output of JMH 1.37. */
class JmhTest {
  private static final Jmh JMH = new Jmh(Path.of("jar"), Path.of("."), Samples.OLD);

  @Test
  void resultHasTimeErrorAndGarbage() {
    Result result = Samples.result(Samples.OLD, 22.3, 0.4, "ConfinedAllocation.jdk", "5");

    assertThat(result.name()).isEqualTo("ConfinedAllocation.jdk");
    assertThat(result.parameterText()).isEqualTo("size=5");
    assertThat(result.time()).isEqualTo(new Score(22.3, 0.4));
    assertThat(result.garbage()).isEqualTo(new Score(48.01, 0.1));
    assertThat(result.settings())
        .isEqualTo("3 forks, each 5 x 300 ms to warm up and 10 x 200 ms measured");
  }

  @Test
  void resultMayLackParametersErrorAndGarbage() {
    JsonObject json = Samples.json(0.5, -1, "EmptyArena.rockpool");
    json.add("secondaryMetrics", new JsonObject());
    json.addProperty("forks", 1);
    Result result = Result.of(Samples.OLD, Mode.PLATFORM, false, json);

    assertThat(result.parameters()).isEmpty();
    assertThat(result.time().text()).isEqualTo("0.500");
    assertThat(result.garbage().bytesText()).isEqualTo("-");
    assertThat(result.settings()).startsWith("1 fork, 5 x 300 ms to warm up");
  }

  @Test
  void resultInAnotherUnitIsRefused() {
    JsonObject json = Samples.json(1, 1, "A.jdk");
    json.getAsJsonObject("primaryMetric").addProperty("scoreUnit", "ops/s");

    assertThatThrownBy(() -> Result.of(Samples.OLD, Mode.PLATFORM, false, json))
        .isInstanceOf(JsonParseException.class)
        .hasMessageContaining("times must be in ns/op: they are in ops/s");
  }

  @Test
  void logHasTheNamesOfThoseThatFailedAndTheirReasons() {
    assertThat(
            JMH.failures(
                """
                # JMH version: 1.37
                # Benchmark mode: Average time, time/op
                # Benchmark: dev.rockpool.bench.ConfinedAllocation.jdk
                # Parameters: (size = 5)

                # Run progress: 0.00% complete, ETA 00:00:03
                # Fork: 1 of 2
                Iteration   1: 0.571 ns/op

                Result "dev.rockpool.bench.ConfinedAllocation.jdk":
                  22.310 ±(99.9%) 0.104 ns/op [Average]
                # Benchmark: dev.rockpool.bench.ConfinedAllocation.rockpool
                # Parameters: (size = 5)

                # Fork: 1 of 2
                <forked VM failed with exit code 1>
                <stderr last='20 lines'>
                Error occurred during initialization of VM
                </stderr>

                # Benchmark: dev.rockpool.bench.EmptyArena.jdk

                # Fork: 1 of 2
                # Warmup Iteration   1: <failure>

                java.lang.IllegalStateException: Pooling is off
                	at dev.rockpool.bench
                """,
                Mode.AGENT))
        .containsExactly(
            "ConfinedAllocation.rockpool (size = 5), agent on JDK 25:"
                + " Error occurred during initialization of VM",
            "EmptyArena.jdk, agent on JDK 25: java.lang.IllegalStateException: Pooling is off");
  }
}
