package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.page.Browser;
import dev.rockpool.cli.report.recording.Merge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page of {@code ./rockpool report} in Chromium, with no network. Pictures of it are left in
 * {@code target/browser}, to be looked at.
 */
class ReportInBrowser {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PNG_WIDTH = 16; // where a PNG says how wide it is

  @TempDir private static Path shared;
  private static Path page;

  @TempDir private Path downloads;

  private Browser browser;

  @BeforeAll
  static void report() throws IOException {
    Merge merge = new Merge();
    merge.add(Samples.record(shared.resolve("sample.jfr")));
    merge.add(Files.createFile(shared.resolve("empty.jfr")));
    page = shared.resolve("report.html");
    Files.writeString(page, ReportPage.of(Report.of(merge)).html());
  }

  @BeforeEach
  void start() {
    browser = new Browser(downloads);
  }

  @AfterEach
  void end() {
    browser.close();
  }

  @ParameterizedTest
  @CsvSource({"390, light", "390, dark", "1280, light", "1280, dark"})
  void isReadable(int width, String scheme) throws IOException {
    browser.open(page, width, scheme);
    browser.assertReadable(scheme, 5);
    browser.screenshot("report-" + width + "-" + scheme + ".png", width);
  }

  @Test
  void showsEachNumberAsTextToo() {
    browser.open(page, 390, "light");
    assertThat(browser.script("return document.querySelector('table').textContent").toString())
        .contains("Arenas with zero bytes", "4,800 (46.149 %)");
    assertThat(browser.find("table caption")).hasSizeGreaterThan(9);
    assertThat(browser.script("return document.documentElement.lang")).isEqualTo("en");
    WebElement folded = browser.find("details").getFirst();
    assertThat(folded.findElement(By.tagName("table")).isDisplayed()).isFalse();
    browser.script("arguments[0].scrollIntoView()", folded);
    folded.findElement(By.tagName("summary")).click();
    assertThat(folded.findElement(By.tagName("table")).getText()).contains("8-15 5,300");
  }

  @Test
  void drawsAgainWhenTheSystemTurnsDark() {
    browser.open(page, 1280, "light");
    String light = picture(0);
    browser.scheme("dark");
    new WebDriverWait(browser.driver(), PATIENCE).until(b -> !picture(0).equals(light));
  }

  private String picture(int chart) {
    return browser
        .script(
            "return document.querySelectorAll('.chart canvas')[arguments[0]].toDataURL()", chart)
        .toString();
  }

  /** By a real click on the symbol above each chart. */
  @Test
  void savesEachChartAsPng() throws IOException {
    browser.open(page, 1280, "light");
    List<WebElement> charts = browser.find(".chart");
    for (int i = 0; i < charts.size(); i++) {
      WebElement chart = charts.get(i);
      browser.script("arguments[0].scrollIntoView({block: 'center'})", chart);
      Dimension size = chart.getSize();
      // The symbol is in the corner at the top right; the actions count from the middle.
      new Actions(browser.driver())
          .moveToElement(chart, size.getWidth() / 2 - 16, -size.getHeight() / 2 + 16)
          .click()
          .perform();
      int expected = i + 1;
      new WebDriverWait(browser.driver(), PATIENCE).until(b -> saved().size() == expected);
    }
    for (Path file : saved()) {
      byte[] png = Files.readAllBytes(file);
      assertThat(png).startsWith(0x89, 'P', 'N', 'G');
      assertThat(ByteBuffer.wrap(png).getInt(PNG_WIDTH)).isGreaterThan(2000);
    }
  }

  private List<Path> saved() {
    try (var files = Files.list(downloads)) {
      return files.filter(file -> file.toString().endsWith(".png")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
