package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error thrown at any time may cost a block, but memory stays zero and in one hand. */
class ErrorsTest {
  private static ChildJvm jvm() {
    return ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED");
  }

  /** An error is delivered where a method returns that is not inlined. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "arena.Nothing::*",
        "arena.ThreadBlocks*::*",
        "arena.Block*::*",
        "internal.NativeMemory::*"
      })
  @EnabledOnOs({OS.LINUX, OS.MAC}) // Windows truncates no mapped file
  void memoryIsSoundWhateverErrorsHit(String notInlined) throws Exception {
    ChildJvm.Result result =
        jvm()
            .with("-XX:CompileCommand=quiet")
            .with("-XX:CompileCommand=dontinline,dev.rockpool." + notInlined)
            .with("--add-opens=java.base/java.lang=ALL-UNNAMED", "-Xss300k")
            .run(ErrorsProbe.class);
    assertThat(result.value("done")).isEqualTo("true");
  }
}
