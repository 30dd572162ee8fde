package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.CheckedStackProbe;
import dev.rockpool.record.TallyProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stack may end in the middle of checks and counts, with no harm done. */
class StackOverflowTest {
  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void checkedArenasFindNothingWhereverTheStackEnds(String isVirtual) throws Exception {
    ChildJvm.Result result = interpreted().with("-Xss200k").run(CheckedStackProbe.class, isVirtual);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.value("found")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void countsAreSoundWhereverTheStackEnds() throws Exception {
    ChildJvm.Result result = interpreted().run(TallyProbe.class, "stack");
    assertThat(result.out())
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(Integer.parseInt(line.substring(line.indexOf('=') + 1)))
                    .as(line)
                    .isGreaterThan(100));
    assertThat(result.err()).isEmpty();
  }

  /** With a compiler that has nothing to do: where there is none, arenas are not pooled. */
  private static ChildJvm interpreted() {
    return ChildJvm.onClassPath()
        .with(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=compileonly,dev.rockpool.Nothing::*");
  }
}
