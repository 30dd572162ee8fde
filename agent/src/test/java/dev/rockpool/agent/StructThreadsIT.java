package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buffers of calls on threads that move, and on threads that Java did not start. */
class StructThreadsIT {
  @ParameterizedTest
  @EnumSource
  void virtualThreadsFindTheirResultAfterAWait(LinkerBuffers buffers) {
    assertThat(
            buffers
                .withStructs()
                .with("-Djdk.virtualThreadScheduler.parallelism=4")
                .run("dev.rockpool.structs.Unmounts", "2000")
                .quietOutput())
        .containsExactly("2000 threads");
  }

  @ParameterizedTest
  @EnumSource
  void threadsOfCMayCallBack(LinkerBuffers buffers) {
    assertThat(
            buffers.withStructs().run("dev.rockpool.structs.ForeignThreads", "101").quietOutput())
        .containsExactly(8 * 101 * 3 + " calls");
  }
}
