package dev.rockpool.cli.report.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Inlining.Call;
import dev.rockpool.cli.report.recording.Inlining.Decision;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What compilers decide, without compilers. */
class InliningTest {
  private static final String C2 = "C2 CompilerThread0";
  private static final String LARGE = "a.Main.large()V";
  private static final String LOAD = "a.Main.load()I";
  private static final String GET = "java.lang.foreign.MemorySegment.get()I";
  private static final String CUTOFF = "NodeCountInliningCutoff";

  private record Event(String compiler, int compilation, int time, Decision decision) {}

  private static Event decision(int compilation, int time, String caller, String callee) {
    return refusal(compilation, time, caller, callee, "");
  }

  private static Event refusal(
      int compilation, int time, String caller, String callee, String reason) {
    return new Event(C2, compilation, time, new Decision(caller, 8 * time, callee, reason));
  }

  private static Inlining inlining(Event... events) {
    Inlining inlining = new Inlining();
    for (Event event : events) {
      inlining.add(
          event.compiler, event.compilation, Instant.ofEpochSecond(event.time), event.decision);
    }
    return inlining;
  }

  @Test
  void theLastCompilationOfAMethodDecides() {
    Event refused = refusal(7, 1, LARGE, GET, CUTOFF);
    Event inlined = decision(9, 2, LARGE, GET);

    assertThat(inlining(refused).calls()).containsExactly(new Call(LARGE, LARGE, 8, GET, CUTOFF));
    assertThat(inlining(inlined, refused).calls()).isEmpty();
    assertThat(inlining(inlined).plus(inlining(refused)).calls()).isEmpty();
  }

  /** Events of several threads have no order; a file may have those of the end alone. */
  @Test
  void aCallIsOfTheMethodThatWasCompiled() {
    String inner = "jdk.internal.foreign.AbstractMemorySegmentImpl.get()I";
    Event first = decision(7, 1, LARGE, LOAD);
    Event second = decision(7, 2, LOAD, GET);
    Event third = refusal(7, 3, inner, "jdk.internal.misc.Unsafe.getInt()I", CUTOFF);
    Call call = new Call(LARGE, inner, 24, "jdk.internal.misc.Unsafe.getInt()I", CUTOFF);

    assertThat(inlining(third, second, first).calls()).containsExactly(call);
    assertThat(inlining(first, second, third).calls()).containsExactly(call);
    assertThat(inlining(third).plus(inlining(first)).calls()).containsExactly(call);
    assertThat(inlining(third).calls()).isEmpty();
  }

  @Test
  void aCompilationThatStartsOverCountsOnce() {
    Event again = new Event(C2, 7, 3, new Decision(LARGE, 8, GET, CUTOFF));

    assertThat(inlining(refusal(7, 1, LARGE, GET, CUTOFF), again).calls()).hasSize(1);
    assertThat(
            inlining(refusal(7, 1, LARGE, GET, CUTOFF), refusal(7, 2, LARGE, GET, CUTOFF)).calls())
        .hasSize(2);
  }

  @Test
  void ofC1OnlyTheUseOfMemoryCounts() {
    Event ofC1 =
        new Event("C1 CompilerThread0", 6, 1, new Decision(LOAD, 1, GET, "inlining too deep"));
    Event refused = refusal(7, 1, LARGE, LOAD, CUTOFF);

    assertThat(inlining(ofC1).isEmpty()).isTrue();
    assertThat(inlining(refused).calls()).isEmpty();
    assertThat(inlining(refused).plus(inlining(ofC1)).calls()).hasSize(1);
    assertThat(inlining(refused, ofC1).calls())
        .containsExactly(new Call(LARGE, LARGE, 8, LOAD, CUTOFF));
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.foreign.Arena.close()V, NodeCountInliningCutoff, true",
    "java.lang.foreign.Arena.close()V, size > DesiredMethodLimit, true",
    "java.lang.foreign.Arena.close()V, already compiled into a big method, true",
    "java.lang.foreign.Arena.close()V, inlining too deep, true",
    "java.lang.foreign.Arena.close()V, too big, false",
    "java.lang.foreign.RockpoolArenas.ofConfined()V, inlining too deep, true",
    "java.lang.RockpoolArena.close()V, inlining too deep, true",
    "dev.rockpool.arena.BlockArena.close()V, inlining too deep, true",
    "java.lang.invoke.VarHandleGuards.guard()V, inlining too deep, true",
    "java.lang.invoke.MethodHandle.invoke()V, inlining too deep, true",
    "java.lang.String.length()I, NodeCountInliningCutoff, false",
    "a.Main.load()I, NodeCountInliningCutoff, true",
    "a.Main.load()I, inlining too deep, false",
    "a.Main.other()I, NodeCountInliningCutoff, false"
  })
  void aLimitCountsWhereMemoryIsUsed(String callee, String reason, boolean counts) {
    Inlining inlining = inlining(refusal(7, 1, LARGE, callee, reason), decision(8, 2, LOAD, GET));

    assertThat(inlining.calls()).hasSize(counts ? 1 : 0);
  }

  @Test
  void methodsOfTheJdkAreNotTheProgramsToChange() {
    assertThat(inlining(refusal(7, 1, "java.util.List.of()V", GET, CUTOFF)).calls()).isEmpty();
    assertThat(inlining(refusal(7, 1, "com.sun.a.B.c()V", GET, CUTOFF)).calls()).isEmpty();
    assertThat(inlining(refusal(7, 1, "com.acme.B.c()V", GET, CUTOFF)).calls()).hasSize(1);
  }
}
