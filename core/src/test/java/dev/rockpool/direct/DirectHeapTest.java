package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import dev.rockpool.child.HeapEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allocations of the heap may fail in the middle of anything: that costs no direct memory. */
class DirectHeapTest {
  /** Said where there is heap for the line, and was none before. */
  private static final String RECLAIMER_GOES_ON =
      "[rockpool] Reclaiming direct memory goes on after a failure: java.lang.OutOfMemoryError";

  @ParameterizedTest
  @ValueSource(strings = {"blocks", "table", "kept", "first kept", "confined", "shared", "line"})
  void directMemoryIsSoundWhereverTheHeapEnds(String what) throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(DirectHeapProbe.class, what);
    assertThat(Integer.parseInt(result.value("failures"))).isPositive();
    assertThat(result.err()).allMatch(line -> line.startsWith(RECLAIMER_GOES_ON));
  }

  @Test
  void keptMemoryIsGivenBackThoughItsThreadFailedToStart() throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(UntendedProbe.class);
    assertThat(result.value("given back")).isEqualTo("true");
  }

  @Test
  void automaticArenasGiveBackThoughTheCleanerFailed() throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(AutomaticProbe.class);
    assertThat(result.value("reserved")).isEqualTo("0");
  }
}
