package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.PageInBrowser;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * The page of {@code ./rockpool report} in Chromium, with no network. Pictures of it are left in
 * {@code target/browser}, to be looked at.
 */
class ReportInBrowser extends PageInBrowser {
  private static final int A4 = 718; // pixels between margins of 1 cm

  @TempDir private Path recordings;

  ReportInBrowser() {
    super("report", 1);
  }

  @Override
  protected Page page() throws IOException {
    Merge merge = new Merge();
    merge.add(Samples.record(recordings.resolve("sample.jfr")));
    merge.add(Files.createFile(recordings.resolve("empty.jfr")));
    return Report.of(merge, "--no-calibration was given").page();
  }

  @Test
  void isUsefulWithoutJavaScript() throws IOException {
    browser
        .driver()
        .executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    open(page(), 1280, "light");

    assertThat(browser.find("body").getFirst().getText())
        .contains("Pooling: not measured", "5,300 51.0 % ", "Recordings");
    WebElement folded = browser.find("details").getFirst();
    assertThat(folded.findElement(By.tagName("table")).isDisplayed()).isFalse();
    folded.findElement(By.tagName("summary")).click();
    assertThat(folded.findElement(By.tagName("table")).getText()).contains("org.example.Handles");
    browser.screenshot("report-without-javascript.png", 1280);
  }

  /** A bar is as long as its share of the cell. */
  @Test
  void sharesHaveBars() throws IOException {
    open(page(), 1280, "light");
    assertThat(browser.find("td[style]"))
        .filteredOn(cell -> cell.getText().equals("51.0 %"))
        .singleElement()
        .satisfies(
            cell ->
                assertThat(cell.getCssValue("background-image"))
                    .startsWith("linear-gradient(to right")
                    .contains(" 50.9"));
  }

  /** On A4, in the light scheme whatever the screen has, and with the folded tables. */
  @Test
  void printsWhole() throws IOException {
    open(page(), 1280, "dark");
    browser.print("report.pdf");

    browser.printed(A4);
    assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(255, 255, 255)");
    assertThat(
            (List<?>)
                browser.script(
                    "return [...document.querySelectorAll('*')].filter(e =>"
                        + " e.getBoundingClientRect().right > innerWidth + 1)"
                        + ".map(e => e.outerHTML.slice(0, 200))"))
        .as("beyond the right edge")
        .isEmpty();
    assertThat(browser.script("return document.body.innerText").toString())
        .contains("org.example.Handles", "8-15");
    assertThat(browser.find(".chart svg"))
        .singleElement()
        .satisfies(chart -> assertThat(chart.getSize().getHeight()).isGreaterThan(100));
    browser.screenshot("report-printed.png", A4);
  }

  /** What is gone is as wide as it was. */
  @ParameterizedTest
  @CsvSource({"390, light", "1280, dark"})
  void showsADifferenceAsFlames(int width, String scheme) throws IOException {
    Merge before =
        merged(
            "before.jfr",
            new Recorded.HolderSite("shared", "a.Cache.load:10", 20, 12, 0),
            new Recorded.HolderSite("direct", "a.Gone.buffer:3", 4, 4, 0));
    Merge after =
        merged("after.jfr", new Recorded.HolderSite("shared", "a.Cache.load:12", 40, 36, 7));

    open(Compared.of(before, after).page(), width, scheme);
    browser.assertReadable(scheme, 0);
    List<WebElement> frames = browser.find(".flames button");
    assertThat(frames)
        .extracting(frame -> frame.getDomAttribute("title"))
        .containsExactly(
            "shared: 1,200 B -> 3,600 B",
            "a.Cache.load: 1,200 B -> 3,600 B",
            "direct: 400 B -> 0 B",
            "a.Gone.buffer: 400 B -> 0 B");
    assertThat(frames.get(0).getCssValue("background-color"))
        .isEqualTo(frames.get(1).getCssValue("background-color"))
        .isNotEqualTo(frames.get(2).getCssValue("background-color"));
    browser.screenshot("compared-" + width + ".png", width);
  }

  private Merge merged(String file, Event... sites) throws IOException {
    List<Event> events = new ArrayList<>(List.of(sites));
    events.addFirst(new Recorded.RecorderSettings());
    Merge merge = new Merge();
    merge.add(Recorded.record(recordings.resolve(file), events.toArray(Event[]::new)));
    return merge;
  }

  /** Widths are shares of the bytes; a pressed frame is as wide as the picture, until pressed. */
  @ParameterizedTest
  @CsvSource({"390, light", "1280, dark"})
  void showsHoldersAsFlames(int width, String scheme) throws IOException {
    Merge merge =
        merged(
            "holders.jfr",
            new Recorded.HolderSite("shared", "a.Cache.load:10", 20, 12, 0),
            new Recorded.HolderStack(
                "shared", "a.Cache.load:10", "a.Cache.load:10\na.Main.main:3", 3),
            new Recorded.HolderStack(
                "shared", "a.Cache.load:10", "a.Cache.load:10\na.Main.warm:9", 1),
            new Recorded.HolderSite("direct", "a.Fresh.buffer:3", 4, 4, 0));

    open(Report.of(merge, "--no-calibration was given").page(), width, scheme);
    browser.assertReadable(scheme, 0); // a chart needs looks at the process
    List<WebElement> frames = browser.find(".flames button");
    assertThat(frames)
        .extracting(frame -> frame.getDomAttribute("title"))
        .containsExactly(
            "shared: 1,200 B",
            "a.Main.main:3: 900 B",
            "a.Cache.load:10: 900 B",
            "a.Main.warm:9: 300 B",
            "a.Cache.load:10: 300 B",
            "direct: 400 B",
            "a.Fresh.buffer:3: 400 B");
    double all = browser.find(".flames").getFirst().getSize().getWidth();
    assertThat(frames)
        .extracting(frame -> (double) Math.round(100 * frame.getSize().getWidth() / all))
        .containsExactly(75.0, 56.0, 56.0, 19.0, 19.0, 25.0, 25.0);
    browser.screenshot("report-flames-" + width + ".png", width);

    frames.get(3).sendKeys(Keys.ENTER);
    assertThat(frames).filteredOn(WebElement::isDisplayed).hasSize(3);
    assertThat((double) frames.get(4).getSize().getWidth()).isEqualTo(all);
    frames.get(3).sendKeys(Keys.ENTER);
    assertThat(frames).allMatch(WebElement::isDisplayed);
  }
}
