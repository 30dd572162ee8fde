package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A figure stands in docs/performance.md; where a text repeats one, both are the same. */
class FiguresTest {
  private static final Path HOME = Path.of("..");

  private static List<String> nanos(String text) {
    return Pattern.compile("([0-9.]+) ns\\b").matcher(text).results().map(m -> m.group(1)).toList();
  }

  /** The cells of the row that begins so, but for spaces, without the words. */
  private static double[] row(String page, String start) {
    String line =
        page.lines()
            .filter(each -> each.startsWith("    ") && each.strip().startsWith(start + "  "))
            .findFirst()
            .orElseThrow();
    return Arrays.stream(line.strip().substring(start.length()).split("  ", -1))
        .map(cell -> cell.replaceAll("[^0-9.]", ""))
        .filter(cell -> !cell.isEmpty())
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  private static String page(String name) throws IOException {
    return Files.readString(HOME.resolve(name));
  }

  @Test
  void readmeHasTheFiguresOfTheTable() throws IOException {
    double[] arena = row(page("docs/performance.md"), "20");
    assertThat(page("README.md")).contains("one allocation of 20 bytes");
    assertThat(nanos(page("README.md")))
        .containsExactly(String.valueOf(arena[1]), String.valueOf(arena[0]));
  }

  @Test
  void sentencesHaveTheFiguresOfTheTable() throws IOException {
    String page = page("docs/performance.md");
    double[] plain = row(page, "virtual threads, 30 arenas each");
    double[] pooled = row(page.substring(page.indexOf("    virtual threads, 30")), "Rockpool");
    assertThat(page.replaceAll("\n +", " ")) // each item on one line
        .contains(
            "With 30 arenas in each, %.0f %% more requests for %.0f %% less processor time"
                .formatted(100 * (pooled[1] / plain[1] - 1), 100 * (1 - pooled[0] / plain[0])));
  }

  /** Costs are measured where they matter, so these pages have none. */
  @Test
  void pagesAboutReportsHaveNoFigures() throws IOException {
    for (String name : List.of("docs/report.md", "docs/recording.md")) {
      assertThat(nanos(page(name)))
          .as(name)
          .allMatch(figure -> figure.equals("5")); // the calibration's own bound
    }
  }
}
