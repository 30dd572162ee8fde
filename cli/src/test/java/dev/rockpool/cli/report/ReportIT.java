package dev.rockpool.cli.report;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportIT {
  @TempDir private Path folder;

  /** The packaged command line has the page's frame and the library that draws. */
  @Test
  void writesThePage() throws IOException {
    Path sample = Samples.record(folder.resolve("sample.jfr"));
    Path page = folder.resolve("page.html");

    Outcome outcome = rockpool("report", "-o", page.toString(), sample.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Merged 1 recording of 1 JVM: 10,401 confined arenas");
    assertThat(Files.readString(page))
        .contains("Apache Software Foundation", "data-option=", "</html>")
        .doesNotContain("<script src=", "(not packaged)");
  }
}
