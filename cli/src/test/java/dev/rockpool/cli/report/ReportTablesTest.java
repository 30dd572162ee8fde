package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Recorded.ArenaHistogram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTablesTest {
  @TempDir private Path folder;

  /** The figures are those that were published with OpenJDK's proposal 31365. */
  @Test
  void sharesOfAColumnAreOfOneWhole() throws IOException {
    ArenaHistogram event = new ArenaHistogram();
    event.totals = "0=375934768 8=400956604 16=1319249 32=10536488 64=25499 65536=11 524288=473";
    event.totalBytes =
        "8=3207623039 16=23717298 32=433206075 64=8427193 65536=3038976 524288=3178724123";

    Table table = ReportTables.sizes(Samples.report(folder, event).all());

    assertThat(table.text())
        .containsPattern("\\n0 +375,934,768 +47\\.7 % +0 +0\\.0 %\\n")
        .containsPattern("\\n8-15 +400,956,604 +50\\.8 % +3,207,623,039 +46\\.8 %\\n")
        .containsPattern("\\n512 Ki-1 Mi +473 +<0\\.1 % +3,178,724,123 +46\\.4 %\\n");
    for (int column : List.of(2, 4)) {
      assertThat(table.rows().stream().mapToDouble(row -> row.get(column).share()).sum())
          .isCloseTo(1, within(1e-9));
    }
  }
}
