package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.ChildJvm.Running;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls inside calls, sixteen deep, with a struct by value at each step: what they compute, and
 * when their buffers end.
 */
class StructChainsIT {
  private static final int ON_PLATFORM_THREADS = 3_000;
  private static final int VIRTUAL_THREADS = Integer.getInteger("structs.virtual.threads", 10_000);

  /** For each of three structs, of which this is the size. */
  private static final String LIFETIME =
      """
      %1$d bytes
      alive in the upcall: true
      size: %1$d
      aligned: true
      writable: true
      on another thread: WrongThreadException Attempted access outside owning thread
      in the next upcall, alive: false
      in the next upcall, read: IllegalStateException Already closed
      in the next upcall, write: IllegalStateException Already closed
      in the next upcall, slice: IllegalStateException Already closed
      in the next upcall, copy: IllegalStateException Already closed
      in the next upcall, passed by value: IllegalStateException Already closed
      twice inverted: true
      after the call, alive: false
      after the call, read: IllegalStateException Already closed
      after the call, write: IllegalStateException Already closed
      after the call, slice: IllegalStateException Already closed
      after the call, copy: IllegalStateException Already closed
      after the call, passed by value: IllegalStateException Already closed
      results kept: 100
      alive as long as the arena: true
      virtual thread: true
      """;

  @ParameterizedTest
  @EnumSource
  void computeWhatCComputes(LinkerBuffers buffers) {
    ChildJvm jvm = buffers.withStructs();
    try (Running program =
        jvm.start(
            "dev.rockpool.structs.ChainCalls", "" + ON_PLATFORM_THREADS, "" + VIRTUAL_THREADS)) {
      for (int started = 0; started < VIRTUAL_THREADS; started += 10_000) {
        assertThat(program.answer()).as(program::soFar).isEqualTo("" + started);
      }
      assertThat(program.end().quietOutput())
          .endsWith(ON_PLATFORM_THREADS + " and " + VIRTUAL_THREADS + " chains");
    }
  }

  @ParameterizedTest
  @EnumSource
  void argumentsOfUpcallsEndWithThem(LinkerBuffers buffers) {
    List<String> expected = new ArrayList<>();
    for (int size : List.of(16, 128, 304)) {
      LIFETIME.formatted(size).lines().forEach(expected::add);
    }

    assertThat(buffers.withStructs().run("dev.rockpool.structs.Lifetimes").quietOutput())
        .isEqualTo(expected);
  }
}
