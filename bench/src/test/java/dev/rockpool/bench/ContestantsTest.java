package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contestants do the same work, and the check of that can fail. */
class ContestantsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 100, 451, 3000})
  void allOfThemPassTheWholeStringToStrlen(int length) throws Throwable {
    StringToStrlen benchmark = new StringToStrlen();
    benchmark.length = length;
    benchmark.makeText();

    assertThat(benchmark.callOnly()).isEqualTo(length);
    assertThat(benchmark.jdk()).isEqualTo(length);
    assertThat(benchmark.rockpool()).isEqualTo(length);
    assertThat(benchmark.ownPool()).isEqualTo(length);
    assertThat(benchmark.threadLocalPool()).isEqualTo(length);
    assertThat(benchmark.lwjglStack()).isEqualTo(length);
  }

  @Test
  void threadLocalPoolGivesOutZeroedMemoryThatEndsWithItsArena() {
    MemorySegment stale;
    try (Arena arena = ThreadLocalPool.open()) {
      stale = arena.allocate(100);
      stale.fill((byte) 1);
    }
    try (Arena arena = ThreadLocalPool.open()) {
      MemorySegment fresh = arena.allocate(100);
      assertThat(fresh.address()).as("it is a pool").isEqualTo(stale.address());
      assertThat(fresh.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      assertThatIllegalStateException().isThrownBy(() -> stale.get(ValueLayout.JAVA_BYTE, 0));
    }
  }

  @Test
  void threadLocalPoolServesTwoOpenArenasAndRequestsThatDoNotFit() {
    try (Arena outer = ThreadLocalPool.open();
        Arena inner = ThreadLocalPool.open()) {
      MemorySegment one = outer.allocate(5);
      MemorySegment two = inner.allocate(5);
      MemorySegment aligned = outer.allocate(8, 8);
      assertThat(one.asOverlappingSlice(two)).isEmpty();
      assertThat(one.asOverlappingSlice(aligned)).isEmpty();
      assertThat(aligned.address() % 8).isZero();
      assertThat(outer.allocate(5000).byteSize()).isEqualTo(5000);
      assertThat(outer.allocate(1, 4096).address() % 4096).isZero();
    }
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

  @Test
  void allOfThemReturnTheNegatedCode() throws Throwable {
    CaptureStateUtilBench benchmark = new CaptureStateUtilBench();

    assertThat(benchmark.adaptedSysCallSuccess()).isZero();
    assertThat(benchmark.explicitAllocationSuccess()).isZero();
    assertThat(benchmark.tlAllocationSuccess()).isZero();
    assertThat(benchmark.preallocatedSuccess()).isZero();
    assertThat(benchmark.adaptedSysCallFail()).isEqualTo(-2);
    assertThat(benchmark.explicitAllocationFail()).isEqualTo(-2);
    assertThat(benchmark.tlAllocationFail()).isEqualTo(-2);
    assertThat(benchmark.preallocatedFail()).isEqualTo(-2);
  }

  @Test
  void allOfThemGetThePoint() throws Throwable {
    assertThat(new PointsAlloc().circle_by_value()).isEqualTo(5);
    assertThat(new PointsAlloc().circle_by_ptr()).isEqualTo(5);
    assertThat(new ByValueIntoArena().jdk()).isEqualTo(5);
    assertThat(new ByValueIntoArena().rockpool()).isEqualTo(5);
  }
}
