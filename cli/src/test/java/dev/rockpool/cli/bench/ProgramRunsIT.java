package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole programs, as users have them measured, but few of them. */
class ProgramRunsIT {
  @TempDir private Path folder;

  private Outcome bench(String... arguments) throws Exception {
    return CommandLineJar.rockpool(
        Stream.concat(
                Stream.of("bench", "--quick", "--out", folder.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void start() throws Exception {
    Outcome outcome = bench("--start", "--filter", "no arena| 1,000 calls| 3,000 calls");

    assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(0);
    assertThat(outcome.out())
        .containsPattern("no arena +plain( +[0-9.]+ s){2}\n")
        .containsPattern("no arena +Rockpool( +[0-9.]+ s){2} +[+-][0-9.]+ s")
        .containsPattern("binding, 3,000 calls +empty agent( +[0-9.]+ s){2}\n")
        .doesNotContain("one arena");
    assertThat(folder.resolve("start.json")).content().contains("cpuSeconds", "empty agent");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("start.svg").toFile())
                .getElementsByTagName("polyline")
                .getLength())
        .isEqualTo(6);
  }

  @Test
  void load() throws Exception {
    Outcome outcome = bench("--load", "--filter", "^10 virtual");

    assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(0);
    for (String variant : new String[] {"plain", "empty agent", "Rockpool"}) {
      assertThat(outcome.out())
          .containsPattern("waiting 5 ms +" + variant + "( +[0-9.]+ s){2}( +[0-9.]+){5}");
    }
    assertThat(Files.list(folder).map(Path::getFileName).map(Path::toString))
        .containsExactlyInAnyOrder("load.json", "load.txt");
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws Exception {
    assertThat(bench("--start", "--sweep").err())
        .contains("--start, --load and --forecast", "--sweep");
    assertThat(bench("--load", "--filter", "nobody").err()).contains("There is no program");
  }
}
