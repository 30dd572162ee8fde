package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.ReportTables.Spread;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Histogram;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.ArenaHistogram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTablesTest {
  @TempDir private Path folder;

  /** Figures that were published with OpenJDK's proposal 31365 give the table published there. */
  @Test
  void repeatsATableOfAKnownRun() throws IOException {
    ArenaHistogram event = new ArenaHistogram();
    event.totals = "0=375934768 8=400956604 16=1319249 32=10536488 64=25499 65536=11 524288=473";
    event.totalBytes =
        "8=3207623039 16=23717298 32=433206075 64=8427193 65536=3038976 524288=3178724123";

    Map<String, String> rows =
        shares(merge(event)).stream().collect(Collectors.toMap(List::getFirst, List::getLast));

    assertThat(rows)
        .containsEntry("Histogram blocks / JVMs", "1 / 1")
        .containsEntry("Confined arenas closed", "788,773,092")
        .containsEntry("Bytes allocated", "6,854,736,704 B (6,537.19 MiB)")
        .containsEntry("Average bytes per arena", "8.69 B")
        .containsEntry("Arenas with zero bytes", "375,934,768 (47.661 %)")
        .containsEntry("Arenas <= 15 bytes", "776,891,372 (98.494 %)")
        .containsEntry("Arenas <= 31 bytes", "778,210,621 (98.661 %)")
        .containsEntry("Bytes from arenas <= 31 bytes", "3,231,340,337 B (3,081.65 MiB) (47.140 %)")
        .containsEntry("Arenas <= 63 bytes", "788,747,109 (99.997 %)")
        .containsEntry("Bytes from arenas <= 63 bytes", "3,664,546,412 B (3,494.78 MiB) (53.460 %)")
        .containsEntry("Arenas < 64 KiB", "788,772,608 (100.000 %)")
        .containsEntry("Bytes from arenas < 64 KiB", "3,672,973,605 B (3,502.82 MiB) (53.583 %)")
        .containsEntry("Arenas >= 64 KiB", "484 (0.000061 %)")
        .containsEntry("Bytes from arenas >= 64 KiB", "3,181,763,099 B (3,034.37 MiB) (46.417 %)")
        .containsEntry("Arenas >= 512 KiB", "473 (0.000060 %)")
        .containsEntry("Bytes from arenas >= 512 KiB", "3,178,724,123 B (3,031.47 MiB) (46.373 %)");
  }

  private static List<List<String>> shares(Merge merge) {
    return ReportTables.shares(Report.of(merge)).rows();
  }

  private Merge merge(ArenaHistogram event) throws IOException {
    Merge merge = new Merge();
    merge.add(Recorded.record(folder.resolve("a.jfr"), event));
    assertThat(merge.skipped()).isEmpty();
    return merge;
  }

  @Test
  void saysNothingOfSharesWhereThereIsNoArena() {
    assertThat(shares(new Merge()))
        .contains(List.of("Arenas with zero bytes", "0 (-)"))
        .contains(List.of("Average bytes per arena", "-"));
  }

  @Test
  void blocksEndWithTheSizeThatServesAll() throws IOException {
    assertThat(blocks(Recorded.Arena.of(20), Recorded.Arena.of(100))).containsExactly("64", "128");
    assertThat(blocks(Recorded.Arena.of(20), Recorded.Arena.of(3 << 20)))
        .startsWith("64", "128", "256")
        .endsWith("1 Mi");
  }

  private List<String> blocks(Recorded.Arena... arenas) throws IOException {
    Merge merge = new Merge();
    merge.add(
        Recorded.record(
            folder.resolve(arenas[1].sizes()[0] + ".jfr"),
            Recorded.histogram("platform", "jdk", List.of(arenas))));
    return ReportTables.hitRates(Report.of(merge)).rows().stream().map(List::getFirst).toList();
  }

  @Test
  void rangesAddUp() {
    ArenaFigures figures = new ArenaFigures();
    Histogram totals = figures.totals();
    for (long size = 0; size < 64; size++) {
      totals.add(size, size + 1);
      figures.totalBytes().add(size, size * (size + 1));
    }
    totals.add(4096, 7);
    figures.totalBytes().add(4096, 30_000);

    List<Spread> powers = ReportTables.powers(figures);
    assertThat(powers)
        .extracting(Spread::label)
        .containsExactly(
            "0",
            "1",
            "2-3",
            "4-7",
            "8-15",
            "16-31",
            "32-63",
            "64-127",
            "128-255",
            "256-511",
            "512-1023",
            "1 Ki-2 Ki",
            "2 Ki-4 Ki",
            "4 Ki-8 Ki");
    assertThat(powers.get(3).arenas()).isEqualTo(5 + 6 + 7 + 8);
    assertThat(powers.getLast().bytes()).isEqualTo(30_000);
    assertThat(powers)
        .extracting(Spread::arenas)
        .satisfies(counts -> addUp(counts, figures.arenas()));

    List<Spread> singles = ReportTables.singles(figures);
    assertThat(singles).hasSize(64);
    assertThat(singles.get(8).arenas()).isEqualTo(9);
    assertThat(singles.getLast().label()).isEqualTo("63+");
    assertThat(singles.getLast().arenas()).isEqualTo(64 + 7);
    assertThat(singles).extracting(Spread::bytes).satisfies(bytes -> addUp(bytes, figures.bytes()));
  }

  private static void addUp(List<? extends Long> parts, long whole) {
    assertThat(parts.stream().mapToLong(Long::longValue).sum()).isEqualTo(whole);
  }
}
