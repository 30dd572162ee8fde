package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.Residency.Part;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.ProcessMemory;
import dev.rockpool.cli.report.recording.Recorded.ProcessPart;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says of a process, from looks at it. */
class ResidencyTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private final List<Event> events = new ArrayList<>(List.of(new RecorderSettings()));

  private ProcessMemory look(int number, long resident, String... parts) throws Exception {
    ProcessMemory look = new ProcessMemory(number, resident);
    events.add(look);
    for (String each : parts) { // as "name: resident of committed"
      String[] sizes = each.substring(each.lastIndexOf(": ") + 2).split(" of ", -1);
      events.add(
          new ProcessPart(
              number,
              each.substring(0, each.lastIndexOf(": ")),
              Long.parseLong(sizes[0]),
              Long.parseLong(sizes[1])));
    }
    return look;
  }

  private Report report() throws IOException {
    return Samples.report(folder, events.toArray(Event[]::new));
  }

  private ProcessSummary summary() throws IOException {
    ProcessSummary summary = report().process();
    assertThat(summary).isNotNull();
    return summary;
  }

  private Part part(String name) throws IOException {
    return summary().peak().parts().stream()
        .filter(part -> part.part().equals(name))
        .findFirst()
        .orElse(new Part(name, 0, 0));
  }

  /** A service with -Xms1g of which little is touched, and 500 MiB of C code. */
  @Test
  void theHeapCountsAsFarAsItIsResident() throws Exception {
    look(
                1,
                700,
                "Java heap: 80 of 1024",
                "malloc heap: 540 of 600",
                "malloc: in use in arenas: 0 of 535",
                "malloc: free in arenas: 0 of 65",
                "malloc: the JVM: 0 of 25",
                "malloc: Java code: 0 of 10",
                "Java code: direct: 0 of 10",
                "files: libraries and jars: 30 of 200",
                "files: mapped: 45 of 5000")
            .residentFiles =
        75 * MIB;
    assertThat(summary().peak().parts())
        .containsExactly(
            new Part("C code", 500 * MIB, 0),
            new Part("Java heap", 80 * MIB, 1024 * MIB),
            new Part("files: mapped", 45 * MIB, 5000 * MIB),
            new Part("files: libraries and jars", 30 * MIB, 200 * MIB),
            new Part("JVM: malloc", 25 * MIB, 25 * MIB),
            new Part("Java code: direct", 10 * MIB, 10 * MIB),
            new Part("free in malloc", 5 * MIB, 0),
            new Part("unexplained", 5 * MIB, 0));
    assertThat(summary().advice()).singleElement().asString().startsWith("C code: 500 MiB of ");
    assertThat(summary().sentence())
        .isEqualTo("Process: the resident set was 700 MiB: C code 500 MiB, Java heap 80 MiB.");
  }

  @Test
  void withoutTrackingTheJvmsMallocIsInTheRest() throws Exception {
    look(
                1,
                300,
                "Java heap: 100 of 128",
                "JVM: classes: 13 of 13",
                "metaspace: 0 of 7",
                "anonymous mappings: 60 of 90",
                "malloc: mapped: 0 of 30",
                "malloc heap: 100 of 120",
                "malloc: in use in arenas: 0 of 110")
            .isTracked =
        false;
    assertThat(part("JVM: classes").resident()).isEqualTo(20 * MIB);
    assertThat(part("C code, and the JVM's own malloc").resident()).isEqualTo(130 * MIB);
    assertThat(part("mappings of C code or the JVM's collector").resident()).isEqualTo(23 * MIB);
    assertThat(part("unexplained").resident()).isEqualTo(27 * MIB);
    assertThat(summary().advice()).singleElement().asString().contains("NativeMemoryTracking");
    assertThat(summary().sentence()).contains("C code, and the JVM's own malloc 130 MiB");
  }

  /** Java code may hold more than it has touched. */
  @Test
  void whatIsNotResidentIsNobodys() throws Exception {
    look(
        1,
        100,
        "Java heap: 50 of 128",
        "malloc heap: 40 of 3000",
        "malloc: in use in arenas: 0 of 3000",
        "malloc: the JVM: 0 of 20",
        "Java code: unsafe: 0 of 2000");
    assertThat(part("Java code: unsafe"))
        .isEqualTo(new Part("Java code: unsafe", 20 * MIB, 2000 * MIB));
    assertThat(part("C code").resident()).isZero();
  }

  @Test
  void whatNoSiteHoldsIsToldOf() throws Exception {
    look(
        1,
        200,
        "Java heap: 50 of 128",
        "malloc heap: 120 of 120",
        "malloc: free in arenas: 0 of 100",
        "malloc: in use in arenas: 0 of 110",
        "malloc: the JVM: 0 of 20",
        "malloc: Java code: 0 of 80",
        "Java code: malloc: 0 of 5",
        "Java code: confined: 0 of 30");
    assertThat(part("Java code: held by no recorded site").resident()).isEqualTo(50 * MIB);
    assertThat(part("C code").resident()).isEqualTo(5 * MIB);
    assertThat(summary().advice()).singleElement().asString().startsWith("Held by no site: ");
  }

  @Test
  void whatIsFreeInMallocCanBeGivenBack() throws Exception {
    ProcessMemory look =
        look(
            1,
            200,
            "Java heap: 50 of 128",
            "malloc heap: 120 of 120",
            "malloc: free in arenas: 0 of 100",
            "malloc: in use in arenas: 0 of 20",
            "malloc: the JVM: 0 of 20");
    look.mallocArenas = 7;
    assertThat(summary().advice())
        .singleElement()
        .asString()
        .startsWith(
            "Free in malloc: at least 100 MiB of the resident set is free in glibc's 7 arenas")
        .contains("-XX:TrimNativeHeapInterval")
        .doesNotContain("MALLOC_ARENA_MAX");
  }

  /** DuckDB has jemalloc, whose memory looks like that of glibc's arenas. */
  @Test
  void whatAnotherAllocatorHasIsCCodes() throws Exception {
    look(
        1,
        400,
        "Java heap: 50 of 128",
        "malloc heap: 300 of 300",
        "malloc: in use in arenas: 0 of 60",
        "malloc: free in arenas: 0 of 10",
        "malloc: the JVM: 0 of 30");
    assertThat(part("C code").resident()).isEqualTo(30 * MIB);
    assertThat(part("C code: mappings of its own").resident()).isEqualTo(230 * MIB);
    assertThat(part("free in malloc").resident()).isEqualTo(10 * MIB);
  }

  @Test
  void manyArenasCanBeFewer() throws Exception {
    look(
                1,
                200,
                "Java heap: 50 of 128",
                "malloc heap: 120 of 120",
                "malloc: free in arenas: 0 of 100",
                "malloc: in use in arenas: 0 of 20",
                "malloc: the JVM: 0 of 20")
            .mallocArenas =
        8;
    assertThat(summary().advice()).singleElement().asString().contains("MALLOC_ARENA_MAX=2");
  }

  /** Elsewhere than on Linux, or on a JDK whose command says something else. */
  @Test
  void withoutAMapNothingIsClaimed() throws Exception {
    look(1, 200).residentFiles = 50 * MIB;
    assertThat(part("unexplained").resident()).isEqualTo(150 * MIB);
    assertThat(summary().advice()).singleElement().asString().startsWith("Not told apart: ");
    assertThat(summary().sentence()).contains("150 MiB (75 %) are not explained");
  }

  /** A batch job that frees all at its end: what it had is to be told. */
  @Test
  void theReportIsOfThePeak() throws Exception {
    look(
        1,
        100,
        "Java heap: 50 of 128",
        "malloc heap: 20 of 20",
        "malloc: in use in arenas: 0 of 20");
    look(
        2,
        460,
        "Java heap: 60 of 128",
        "malloc heap: 370 of 370",
        "malloc: in use in arenas: 0 of 370");
    look(
        3,
        110,
        "Java heap: 60 of 128",
        "malloc heap: 20 of 20",
        "malloc: in use in arenas: 0 of 20");
    assertThat(summary().sentence())
        .startsWith(
            "Process: the resident set rose from 100 MiB to 460 MiB, its peak, and was 110 MiB at"
                + " the end. C code grew by 350 MiB; ");
    assertThat(report().page().text())
        .contains("Resident set at its peak, 460 MiB", "Resident set at the last look, 110 MiB");
    String html = report().page().html();
    assertThat(html.indexOf("<svg")).isLessThan(html.indexOf("Process:")).isPositive();
    assertThat(html).contains("peak 460 MiB").doesNotContain("class='limit'");
  }

  @Test
  void theLimitOfTheContainerIsInTheChart() throws Exception {
    look(1, 100, "Java heap: 100 of 128");
    look(2, 250, "Java heap: 250 of 300").available = 300 * MIB;
    assertThat(report().page().html()).contains("class='limit'", "limit 300 MiB");
  }

  /** That nothing leaks in Java code says nothing of a process that grew. */
  @Test
  void growthIsNoGoodNews() throws Exception {
    look(1, 100, "Java heap: 100 of 128");
    assertThat(report().page().html()).contains("<strong class=\"good\">");
    look(
        2,
        500,
        "Java heap: 100 of 128",
        "malloc heap: 400 of 400",
        "malloc: in use in arenas: 0 of 400");
    assertThat(report().page().html()).doesNotContain("<strong class=\"good\">");
    assertThat(Headlines.of(report()).leaks())
        .isEqualTo("Leaks: none found in Java code, while the process grew.");
  }

  @Test
  void anErrorForWantOfRoomIsInTheFirstSentence() throws Exception {
    look(1, 100, "Java heap: 100 of 128");
    Recorded.HolderSite site = new Recorded.HolderSite("direct", "a.A.a:1", 335, 335, 0);
    site.outOfMemory = 2;
    events.add(site);
    assertThat(Headlines.of(report()).process())
        .startsWith("Process: 2 OutOfMemoryErrors said that no room was left for direct buffers; ");
  }

  /** Else what grew is more than the growth. */
  @Test
  void whatShrankIsNamedBesideWhatGrew() throws Exception {
    look(1, 200, "Java heap: 50 of 128", "files: libraries and jars: 150 of 200");
    look(2, 300, "Java heap: 250 of 256", "files: libraries and jars: 50 of 200");
    assertThat(Headlines.of(report()).process())
        .contains(
            "rose from 200 MiB to 300 MiB",
            ". Java heap grew by 200 MiB, libraries and jars shrank by 100 MiB.");
  }

  @Test
  void aFallIsNotCalledSteady() throws Exception {
    look(
        1,
        377,
        "Java heap: 50 of 128",
        "malloc heap: 300 of 300",
        "malloc: in use in arenas: 0 of 300");
    look(
        2,
        95,
        "Java heap: 50 of 128",
        "malloc heap: 20 of 300",
        "malloc: in use in arenas: 0 of 20");
    assertThat(summary().sentence())
        .startsWith(
            "Process: the resident set fell from 377 MiB to 95 MiB; at its peak it had C code 300"
                + " MiB, Java heap 50 MiB");
  }

  @Test
  void aPeakBetweenLooksIsToldOf() throws Exception {
    look(1, 80, "Java heap: 80 of 128").mostResident = 80 * MIB;
    look(2, 81, "Java heap: 81 of 128").mostResident = 378 * MIB;
    assertThat(summary().sentence())
        .contains(
            "; it was 378 MiB for a moment between two looks, of which the parts are not known");
  }
}
