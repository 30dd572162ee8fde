package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.Gap.Part;
import dev.rockpool.cli.report.recording.ProcessMemory;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process of 1,000 MiB. */
class GapTest {
  private static final long MIB = 1 << 20;

  private final Map<String, Long> figures =
      new HashMap<>(
          Map.of(
              ProcessMemory.RESIDENT, 1000 * MIB,
              ProcessMemory.PEAK, 1100 * MIB,
              ProcessMemory.FILES, 100 * MIB,
              ProcessMemory.HEAP, 300 * MIB));
  private final Map<String, Long> categories = new HashMap<>();
  private final Map<String, Long> javas = new HashMap<>();

  private Gap gap() {
    return new Gap(figures, categories, javas);
  }

  @Test
  void withoutTrackingTheJvmIsInWhatIsLeft() {
    javas.put("direct", 200 * MIB);
    javas.put("malloc", 10 * MIB);
    javas.put("mapped", 5000 * MIB);
    assertThat(gap().parts())
        .containsExactlyInAnyOrder(
            new Part("resident set", "", 1000 * MIB),
            new Part("resident set, the most so far", "", 1100 * MIB),
            new Part("files: libraries, jars, mapped files", "", 100 * MIB),
            new Part("JVM: Java Heap", "at most", 300 * MIB),
            new Part("Java code: direct", "at most", 200 * MIB),
            new Part("Java code: malloc", "at most", 10 * MIB),
            new Part("Java code: mapped", "at most", 5000 * MIB),
            new Part("left: C code, and the JVM without its heap", "at least", 390 * MIB));
    assertThat(gap().advice())
        .singleElement()
        .asString()
        .startsWith("Not told apart: at least 408,944,640 B (390.00 MiB)");
  }

  @Test
  void trackingTellsTheJvmFromTheRest() {
    categories.putAll(
        Map.of("Java Heap", 300 * MIB, "Class", 20 * MIB, "Other", 250 * MIB, "GC", MIB / 2));
    javas.put("direct", 200 * MIB);
    javas.put("malloc", 10 * MIB);
    assertThat(gap().parts())
        .contains(
            new Part("JVM: Class", "at most", 20 * MIB),
            new Part("JVM: other categories", "at most", MIB / 2),
            new Part("Java code: held by no recorded site", "at least", 50 * MIB),
            new Part("left: C code, and what malloc keeps", "at least", 319 * MIB + MIB / 2));
    assertThat(gap().advice()).singleElement().asString().startsWith("C code: at least ");
    categories.put("Other", 320 * MIB);
    assertThat(gap().advice())
        .satisfiesExactly(
            first -> assertThat(first).contains("at least 125,829,120 B", "maxCachedBufferSize"),
            second -> assertThat(second).startsWith("C code: "));
  }

  /** What is free in malloc is no more than what is in the gap: the rest is not resident. */
  @Test
  void whatIsFreeInMallocIsInTheGap() {
    figures.put(ProcessMemory.MALLOC_ARENAS, 7L);
    figures.put(ProcessMemory.MALLOC_FREE, 2000 * MIB);
    assertThat(gap().parts())
        .contains(
            new Part("free in glibc's 7 arenas", "at most", 600 * MIB),
            new Part("left: C code, and the JVM without its heap", "at least", 0));
    assertThat(gap().advice())
        .singleElement()
        .asString()
        .contains("glibc's 7 arenas", "-XX:TrimNativeHeapInterval")
        .doesNotContain("MALLOC_ARENA_MAX");
    figures.put(ProcessMemory.MALLOC_ARENAS, 8L);
    assertThat(gap().advice()).singleElement().asString().contains("MALLOC_ARENA_MAX=2");
  }

  @Test
  void littleIsNotWorthASentence() {
    figures.put(ProcessMemory.HEAP, 801 * MIB);
    assertThat(gap().advice()).isEmpty();
    figures.put(ProcessMemory.HEAP, 799 * MIB);
    assertThat(gap().advice()).hasSize(1);
    figures.put(ProcessMemory.HEAP, 2000 * MIB);
    assertThat(gap().parts()).last().extracting(Part::bytes).isEqualTo(0L);
  }

  /** Elsewhere than on Linux, mapped files may be in the resident set. */
  @Test
  void mappedFilesAreSubtractedWhereResidentFilesAreNotKnown() {
    figures.remove(ProcessMemory.FILES);
    javas.put("mapped", 150 * MIB);
    assertThat(gap().parts()).last().extracting(Part::bytes).isEqualTo(550 * MIB);
  }
}
