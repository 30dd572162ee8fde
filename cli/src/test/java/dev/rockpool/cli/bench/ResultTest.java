package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.rockpool.cli.bench.Result.Score;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The output of JMH 1.37. */
class ResultTest {
  @Test
  void resultHasTimeErrorAndGarbage() {
    Result result = Samples.result(Samples.OLD, 22.3, 0.4, "ConfinedAllocation.jdk", "5");

    assertThat(result.workload()).isEqualTo("ConfinedAllocation");
    assertThat(result.parameters()).containsExactly(Map.entry("size", "5"));
    assertThat(result.time()).isEqualTo(new Score(22.3, 0.4));
    assertThat(result.garbage()).isEqualTo("48");
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
    assertThat(result.garbage()).isEqualTo("-");
    assertThat(result.settings()).startsWith("1 fork, 5 x 300 ms to warm up");
  }

  /** Benchmarks of direct memory state milliseconds, and one has a mean and samples. */
  @Test
  void resultInMillisecondsIsInNanoseconds() {
    JsonObject json = Samples.json(2.5, 0.5, "direct.DirectByteBufferAlloc.jdk");
    json.getAsJsonObject("primaryMetric").addProperty("scoreUnit", "ms/op");
    Result mean = Result.of(Samples.OLD, Mode.PLATFORM, false, json);
    JsonObject sampled = json.deepCopy();
    sampled.addProperty("mode", "sample");

    assertThat(mean.time()).isEqualTo(new Score(2.5e6, 0.5e6));
    assertThat(mean.workload()).isEqualTo("DirectByteBufferAlloc");
    assertThat(Result.of(Samples.OLD, Mode.PLATFORM, false, sampled).workload())
        .isEqualTo("DirectByteBufferAlloc, sampled");
  }

  @Test
  void benchmarksWithinOneClassAreApart() {
    JsonObject json = Samples.json(1, 1, "CallDepth.OfText.jdk");

    Result result = Result.of(Samples.OLD, Mode.PLATFORM, false, json);

    assertThat(result.workload()).isEqualTo("CallDepth.OfText");
    assertThat(result.contestant()).isEqualTo(Result.JDK);
  }

  @Test
  void resultInAnotherUnitIsRefused() {
    JsonObject json = Samples.json(1, 1, "A.jdk");
    json.getAsJsonObject("primaryMetric").addProperty("scoreUnit", "ops/s");

    assertThatThrownBy(() -> Result.of(Samples.OLD, Mode.PLATFORM, false, json))
        .isInstanceOf(JsonParseException.class)
        .hasMessageContaining("results must be times of an operation: they are in ops/s");
  }
}
