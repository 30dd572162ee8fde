package dev.rockpool.cli.bench;

import static dev.rockpool.cli.bench.Samples.NEW;
import static dev.rockpool.cli.bench.Samples.OLD;
import static dev.rockpool.cli.bench.Samples.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same report as text, Markdown, JSON and a page. */
class ReportTest {
  private static final Report REPORT =
      Samples.report(
          List.of(
              result(OLD, 22.31, 0.42, "A.jdk", "size", "8"),
              result(OLD, 2.1, 0.03, "A.rockpool", "size", "8"),
              result(OLD, 2.14, Double.NaN, "A.rockpool", "size", "20"),
              result(NEW, 1700.4, 3, "B.jdk"),
              Samples.sweep(20, "A.jdk", "0"),
              Samples.sweep(2, "A.rockpool", "0"),
              Samples.sweep(21, "A.jdk", "1"),
              Samples.sweep(1, "A.rockpool", "1")),
          new Report.Failure("C.lwjglStack on JDK 25", "no library | here"));

  @Test
  void textHasBothSidesOfEachRatioInOneRow() {
    assertThat(ReportText.text(REPORT))
        .contains(
            """
            A on JDK 25

            contestant   size        ns/op     jdk ns/op   ratio   B/op   jdk B/op
            ----------------------------------------------------------------------
            rockpool        8   2.10 ±0.03   22.31 ±0.42   10.6x     48         48
            rockpool       20         2.14             -       -     48          -
            """);
  }

  @Test
  void textShowsTheJdkWhereNobodyIsComparedWithIt() {
    assertThat(ReportText.text(REPORT))
        .contains(
            """
            B on JDK 28

            contestant     ns/op   jdk ns/op   ratio   B/op   jdk B/op
            ----------------------------------------------------------
            jdk          1700 ±3           -       -     48          -
            """);
  }

  @Test
  void textSaysWhereASweepGainsLeastAndMost() {
    assertThat(ReportText.text(REPORT))
        .contains("rockpool: least 10.0x at size=0, most 21.0x at size=1\n");
  }

  @Test
  void textSaysHowAndWhereItWasMeasuredAndWhatFailed() {
    assertThat(ReportText.text(REPORT))
        .contains("Rockpool 1.0\n")
        .contains("Command: ./rockpool bench --filter '</script>'\n")
        .contains("Start: 2026-01-02T03:04:05Z, took 90 s\n")
        .contains("System: Linux\n")
        .contains("Processor: some processor; load average before: 0.25\n")
        .contains("JDK 28: HotSpot, Debian, ")
        .contains("Measured: 1 fork\n")
        .contains(Report.CAUTION)
        .endsWith("Failed: C.lwjglStack on JDK 25: no library | here\n");
  }

  @Test
  void markdownHasTheSameTables() {
    assertThat(ReportText.markdown(REPORT))
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
  void jsonHasEverythingAndNullForWhatIsNotKnown() {
    JsonObject json = ReportJson.of(REPORT);

    assertThat(json.get("command").getAsString()).isEqualTo(REPORT.origin().command());
    assertThat(json.getAsJsonArray("jvms")).hasSize(2);
    assertThat(json.getAsJsonArray("failures")).hasSize(1);
    JsonObject first = json.getAsJsonArray("comparisons").get(0).getAsJsonObject();
    assertThat(first.get("part").getAsString()).isEqualTo("benchmarks");
    JsonObject row = first.getAsJsonArray("results").get(1).getAsJsonObject();
    assertThat(row.get("nanos").getAsDouble()).isEqualTo(2.1);
    assertThat(row.get("nanosError").getAsDouble()).isEqualTo(0.03);
    assertThat(row.get("garbageBytes").getAsDouble()).isEqualTo(48);
    assertThat(row.getAsJsonObject("ratio").get("text").getAsString()).isEqualTo("10.6x");
    JsonObject last = first.getAsJsonArray("results").get(2).getAsJsonObject();
    assertThat(last.get("nanosError").isJsonNull()).isTrue();
    assertThat(last.get("ratio").isJsonNull()).isTrue();
  }

  @Test
  void pageHoldsTheDataAndAllThatItNeeds() {
    JsonObject json = ReportJson.of(REPORT);
    String page = ReportPage.of(json);

    assertThat(dataOf(page)).isEqualTo(json);
    assertThat(page)
        .as("the library is in the page")
        .contains("Licensed to the Apache Software Foundation")
        .doesNotContainPattern("<script[^>]* src=")
        .doesNotContainPattern("<link[^>]* href=")
        .doesNotContain("Sample data");
    assertThat(page.split("</script>", -1)).as("no text ends an element").hasSize(4);
  }

  static JsonObject dataOf(String page) {
    String start = "<script type=\"application/json\" id=\"report\">";
    int from = page.indexOf(start) + start.length();
    return JsonParser.parseString(page.substring(from, page.indexOf("</script>", from)))
        .getAsJsonObject();
  }
}
