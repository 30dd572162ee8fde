package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import dev.rockpool.record.TallyProbe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stack may end in the middle of anything: that may cost slabs, but none is handed out twice,
 * and no free one holds data. In a JVM of its own, as classes of the JDK may come to harm.
 */
class StackOverflowTest {
  @Test
  void stackOverflowCostsSlabsAndDoesNoOtherHarm() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .run(StackOverflowProbe.class);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(Integer.parseInt(result.value("lost slabs"))).as("was hit").isPositive();
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void checkedArenasFindNothingWhereverTheStackEnds(String isVirtual) throws Exception {
    ChildJvm.Result result = interpreted().with("-Xss200k").run(CheckedStackProbe.class, isVirtual);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.value("found")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }

  /** Interpreted, where each call takes stack, and virtual threads with and without a carrier. */
  @ParameterizedTest
  @CsvSource({
    "false, -XX:+UseG1GC",
    "true, -XX:+UseG1GC",
    "true, --add-opens=java.base/java.lang=ALL-UNNAMED",
    "false, -Drockpool.check=on",
    "true, -Drockpool.check=on"
  })
  void requestsAreSoundWhereverTheStackEnds(String isVirtual, String option) throws Exception {
    ChildJvm.Result result =
        interpreted().with("-Xss200k", option).run(RequestStackProbe.class, isVirtual);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    if (!option.contains("check")) {
      assertThat(Integer.parseInt(result.value("abandoned"))).as("was hit").isPositive();
    }
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "on"})
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no close")
  void arenasAreThereWhereverTheStackEndsAtTheFirst(String check) throws Exception {
    ChildJvm.Result result =
        interpreted().with("-Drockpool.check=" + check).run(FirstUseStackProbe.class);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void rowsAndCountsAreSoundWhereverTheStackEnds() throws Exception {
    for (Class<?> probe : List.of(RegistryProbe.class, TallyProbe.class)) {
      ChildJvm.Result result = interpreted().run(probe, "stack");
      assertThat(result.out())
          .isNotEmpty()
          .allSatisfy(
              line ->
                  assertThat(Integer.parseInt(line.substring(line.indexOf('=') + 1)))
                      .as(line)
                      .isGreaterThan(100));
      assertThat(result.err()).isEmpty();
    }
  }

  /** With a compiler that has nothing to do: where there is none, arenas are not pooled. */
  private static ChildJvm interpreted() {
    return ChildJvm.onClassPath()
        .with(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=compileonly,dev.rockpool.Nothing::*");
  }

  /** Without C2, whose frames are so small that the interpreter's calls hit the end first. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-Xint"})
  void registryIsSoundWhereverTheStackEnds(String compilers) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", compilers)
            .run(RegistryStackProbe.class);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.err()).isEmpty();
  }
}
