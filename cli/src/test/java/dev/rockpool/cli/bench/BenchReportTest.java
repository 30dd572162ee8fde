package dev.rockpool.cli.bench;

import static dev.rockpool.cli.bench.Samples.NEW;
import static dev.rockpool.cli.bench.Samples.OLD;
import static dev.rockpool.cli.bench.Samples.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.OutputFile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same report as text, Markdown, JSON and a page. */
class BenchReportTest {
  private static final BenchReport REPORT =
      Samples.report(
          List.of(
              result(OLD, 22.31, 0.42, "A.jdk", "8"),
              result(OLD, 2.1, 0.03, "A.rockpool", "8"),
              result(OLD, 2.14, -1, "A.rockpool", "20"),
              result(NEW, 1700.4, 3, "B.jdk"),
              Samples.sweep(Mode.PLATFORM, 20, "A.jdk", "0"),
              Samples.sweep(Mode.PLATFORM, 2, "A.rockpool", "0"),
              Samples.sweep(Mode.PLATFORM, 21, "A.jdk", "1"),
              Samples.sweep(Mode.PLATFORM, 1, "A.rockpool", "1")),
          "C.lwjglStack on JDK 25: no library | here");

  @Test
  void textHasBothSidesOfEachRatioInOneRow() {
    assertThat(REPORT.text())
        .contains("Rockpool: 1.0\nCommand: ./rockpool bench --filter '</script>'\n")
        .contains(BenchReport.CAUTION)
        .contains(
            """
            A on JDK 25

            contestant   size        ns/op     jdk ns/op   ratio   B/op   jdk B/op
            ----------------------------------------------------------------------
            rockpool        8   2.10 ±0.03   22.31 ±0.42   10.6x     48         48
            rockpool       20         2.14             -       -     48          -
            """)
        .contains("rockpool on JDK 25: least 10.0x at size=0, most 21.0x at size=1\n")
        .endsWith("Failed: C.lwjglStack on JDK 25: no library | here\n");
  }

  @Test
  void textShowsTheJdkWhereNobodyIsComparedWithIt() {
    assertThat(REPORT.text())
        .contains(
            """
            B on JDK 28

            contestant     ns/op   jdk ns/op   ratio   B/op   jdk B/op
            ----------------------------------------------------------
            jdk          1700 ±3           -       -     48          -
            """);
  }

  @Test
  void markdownHasTheSameTables() {
    assertThat(REPORT.markdown())
        .contains(
            """
            ## A on JDK 25

            | contestant | size | ns/op | jdk ns/op | ratio | B/op | jdk B/op |
            |---|---:|---:|---:|---:|---:|---:|
            | rockpool | 8 | 2.10 ±0.03 | 22.31 ±0.42 | 10.6x | 48 | 48 |
            """)
        .contains("- Command: ./rockpool bench");
  }

  @Test
  void jsonHasAllOfJmhsResultsAndTheirRatios() {
    JsonObject json = JsonParser.parseString(OutputFile.json(REPORT.json())).getAsJsonObject();

    assertThat(json.getAsJsonArray("results")).hasSize(8);
    assertThat(json.getAsJsonArray("failures")).hasSize(1);
    JsonObject row = json.getAsJsonArray("results").get(1).getAsJsonObject();
    assertThat(row.get("part").getAsString()).isEqualTo("benchmarks");
    assertThat(row.get("jdk").getAsString()).isEqualTo("JDK 25");
    assertThat(row.getAsJsonObject("primaryMetric").get("score").getAsDouble()).isEqualTo(2.1);
    assertThat(row.getAsJsonObject("ratio").get("text").getAsString()).isEqualTo("10.6x");
    assertThat(row.getAsJsonObject("ratio").keySet())
        .containsExactly("value", "low", "high", "text");
    JsonObject alone = json.getAsJsonArray("results").get(2).getAsJsonObject();
    assertThat(alone.get("ratio").isJsonNull()).isTrue();
  }

  @Test
  void pageHasAChartAndATableForEachAndNeedsNothingElse() {
    String page = REPORT.page().html();

    assertThat(page)
        .contains("<td>rockpool</td><td>8</td><td>2.10 ±0.03</td><td>22.31 ±0.42</td>")
        .contains("<td>10.6x</td>", "C.lwjglStack on JDK 25: no library | here")
        .contains("<dt>rockpool</dt><dd>Rockpool's Arenas.ofConfined()</dd>")
        .contains("Licensed to the Apache Software Foundation")
        .contains("--filter '&lt;/script&gt;'")
        .doesNotContainPattern("<script[^>]* src=")
        .doesNotContainPattern("<link[^>]* href=");
    assertThat(page.split("class=\"chart\"", -1)).as("A, B, and time and ratio").hasSize(5);
  }
}
