package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Structs of all sizes and kinds go by value to C and to Java, and back. */
class StructCallsIT {
  @ParameterizedTest
  @EnumSource
  void allStructsArriveAsTheyWere(LinkerBuffers buffers) {
    assertThat(run(buffers.withStructs(), 1, 1)).isEqualTo("454 structs");
  }

  @ParameterizedTest
  @EnumSource
  void alsoInCompiledCode(LinkerBuffers buffers) {
    assertThat(run(buffers.withStructs(), 40, 300)).isEqualTo("12 structs");
  }

  @ParameterizedTest
  @EnumSource
  void alsoWithTheFirstCompilerAlone(LinkerBuffers buffers) {
    assertThat(run(buffers.withStructs().with("-XX:TieredStopAtLevel=1"), 16, 20))
        .isEqualTo("29 structs");
  }

  @ParameterizedTest
  @EnumSource
  void alsoInterpreted(LinkerBuffers buffers) {
    assertThat(run(buffers.withStructs().with("-Xint"), 32, 2)).isEqualTo("15 structs");
  }

  @ParameterizedTest
  @EnumSource
  void theCLibrarysOwnFunctionsToo(LinkerBuffers buffers) {
    assertThat(buffers.withStructs().run("dev.rockpool.structs.LibcCalls").quietOutput())
        .containsExactly(buffers.arenaClass());
  }

  private static String run(ChildJvm jvm, int every, int rounds) {
    return String.join(
        "\n", jvm.run("dev.rockpool.structs.StructCalls", "" + every, "" + rounds).quietOutput());
  }
}
