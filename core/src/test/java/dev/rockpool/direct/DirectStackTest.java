package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stack may end in the middle of anything: no direct memory is handed out twice, none is lost,
 * and what is kept is counted. In a JVM of its own, as classes of the JDK may come to harm.
 */
class DirectStackTest {
  /** Interpreted, where each call takes stack, and compiled. */
  @ParameterizedTest
  @ValueSource(strings = {"compileonly,none.Such::*", "quiet"})
  void memoryIsSoundWhereverTheStackEnds(String command) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=" + command)
            .run(DirectStackProbe.class);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.value("lost")).isEqualTo("0");
    assertThat(result.value("in line")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }

  /** Compiled by C2 alone, which inlines most: a call in the rest may be the first to overflow. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:CompileCommand=compileonly,none.Such::*", "-XX:-TieredCompilation"})
  void blocksAreFreedOnceWhereverTheStackEnds(String option) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-XX:CompileCommand=quiet", option)
            .run(FreeStackProbe.class);
    assertThat(Integer.parseInt(result.value("overflows"))).isGreaterThan(100);
    assertThat(result.value("lost")).isEqualTo("0");
    assertThat(result.value("indexed")).isEqualTo("true");
    assertThat(result.err()).isEmpty();
  }

  /** Inside LockSupport.unpark, the end of the stack would stop a virtual thread for good. */
  @Test
  void virtualThreadsRunOnWhereverTheStackOfAnotherEnds() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC")
            .run(VirtualWaiterProbe.class);
    assertThat(result.value("lost")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }
}
