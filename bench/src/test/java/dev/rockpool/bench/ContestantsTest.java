package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contestants do the same work, and the check of that can fail. */
class ContestantsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 100, 451, 3000})
  void allOfThemPassTheWholeStringToStrlen(int length) throws Throwable {
    StringToStrlen benchmark = new StringToStrlen();
    benchmark.length = length;
    benchmark.makeText();

    assertThat(benchmark.jdk()).isEqualTo(length);
    assertThat(benchmark.rockpool()).isEqualTo(length);
    assertThat(benchmark.lwjglStack()).isEqualTo(length);
  }

  /** This JVM has no agent, and tests run on platform threads. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-javaagent:agent/target/rockpool-agent.jar",
        "-javaagent:rockpool-agent.jar=record=a.jfr",
        "-Djmh.executor=VIRTUAL"
      })
  void otherKindsOfJvmAreNotMistakenForThisOne(String argument) {
    assertThatIllegalStateException()
        .isThrownBy(new Conditions(List.of(argument))::check)
        .withMessageStartingWith("This JVM was started with [");
  }

  @Test
  void thisJvmIsTheUsualOne() {
    Conditions.ofThisJvm().check();
    assertThat(Conditions.ofThisJvm().isUnderAgent()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, -2"})
  void allOfThemReturnTheNegatedCode(int result, int expected) throws Throwable {
    CaptureStateUtilBench benchmark = new CaptureStateUtilBench();
    benchmark.result = result;

    assertThat(benchmark.callState()).isEqualTo(expected);
    assertThat(benchmark.confinedArena()).isEqualTo(expected);
    assertThat(benchmark.preallocated()).isEqualTo(expected);
  }

  @Test
  void allOfThemGetThePoint() throws Throwable {
    PointsAlloc benchmark = new PointsAlloc();

    assertThat(benchmark.byValue()).isEqualTo(5);
    assertThat(benchmark.byPointer()).isEqualTo(5);
    assertThat(benchmark.jdk()).isEqualTo(5);
    assertThat(benchmark.rockpool()).isEqualTo(5);
  }
}
