package dev.rockpool.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class ReportTest {
  private static Figure figure(Mode mode, double nanos, double error, String name, String... size) {
    TreeMap<String, String> parameters = new TreeMap<>();
    if (size.length > 0) {
      parameters.put("size", size[0]);
    }
    return Figure.of(mode, "dev.rockpool.bench." + name, parameters, nanos, nanos, error, 48.01);
  }

  private static String text(Figure... figures) {
    return new Report("JDK 25", List.of(figures), List.of()).text();
  }

  @Test
  void eachRowHasTheJdksArenaWithTheSameParameters() {
    assertThat(
            text(
                figure(Mode.PLATFORM, 22.31, 0.42, "A.jdk", "8"),
                figure(Mode.PLATFORM, 2.1, 0.03, "A.rockpool", "8"),
                figure(Mode.PLATFORM, 2.14, Double.NaN, "A.rockpool", "20"),
                figure(Mode.AGENT, 22.01, 0.2, "A.jdk", "8")))
        .contains(
            """
            A

            contestant   size         ns/op     jdk ns/op    ratio   B/op   jdk B/op
            agent           8   22.01 ±0.20   22.31 ±0.42   ~1.01x     48         48
            rockpool        8    2.10 ±0.03   22.31 ±0.42    10.6x     48         48
            rockpool       20          2.14             -        -     48          -
            """);
  }

  @Test
  void theJdksArenaHasARowOfItsOwnWhereNobodyIsComparedWithIt() {
    assertThat(
            text(
                figure(Mode.PLATFORM, 1700.4, 3, "B.jdk"),
                figure(Mode.PLATFORM, 0.5, 0.1, "B.nothing"),
                figure(Mode.VIRTUAL_AGENT, 20, 1, "B.jdk")))
        .contains(
            """
            B

            contestant          ns/op   jdk ns/op   ratio   B/op   jdk B/op
            jdk               1700 ±3           -       -     48          -
            nothing      0.500 ±0.100           -       -     48          -
            """)
        .contains("\nB, virtual\n", "\nagent ");
  }

  @Test
  void aSweepIsDrawnForEachKindOfThread(@TempDir Path folder) throws Exception {
    Report report =
        new Report(
            "JDK 25 & more",
            List.of(
                figure(Mode.PLATFORM, 20, 1, "A.jdk", "0"),
                figure(Mode.PLATFORM, 21, 1, "A.jdk", "1"),
                figure(Mode.PLATFORM, 1, 1, "A.rockpool", "1"),
                figure(Mode.VIRTUAL, 20, 1, "A.jdk", "0")),
            List.of("C.lwjglStack, platform: see a.log"));
    report.drawSweep(folder);

    assertThat(polylines(folder.resolve("sweep.svg"))).isEqualTo(4);
    assertThat(polylines(folder.resolve("sweep-virtual.svg"))).isEqualTo(2);
    assertThat(report.text()).endsWith("\nFailed: C.lwjglStack, platform: see a.log\n");
  }

  @Test
  void theLastLabelOfAnAxisIsInsideThePicture() {
    List<String> labels = List.of("1,000", "10,000,000");
    String svg = new Picture("", "", "", "", labels, List.of()).svg();
    MatchResult last =
        Pattern.compile("x=\"([0-9.]+)\"[^>]*>10,000,000<")
            .matcher(svg)
            .results()
            .toList()
            .getFirst();

    // Half of it is to the right of its middle, and no digit is wider than 8.
    assertThat(Double.parseDouble(last.group(1)) + 8 * labels.getLast().length() / 2.0)
        .isLessThanOrEqualTo(880);
  }

  /** The number of lines in a picture, those of its legend included. */
  static int polylines(Path picture) throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile());
    return svg.getElementsByTagName("polyline").getLength();
  }
}
