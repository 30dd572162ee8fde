package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

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
    return ReportTables.shares(Report.of(merge, "")).rows();
  }

  private Merge merge(ArenaHistogram event) throws IOException {
    Merge merge = new Merge();
    merge.add(Recorded.record(folder.resolve("a.jfr"), event));
    assertThat(merge.notes()).isEmpty();
    return merge;
  }

  @Test
  void saysNothingOfSharesWhereThereIsNoArena() {
    assertThat(shares(new Merge()))
        .contains(List.of("Arenas with zero bytes", "0 (-)"))
        .contains(List.of("Average bytes per arena", "-"));
  }
}
