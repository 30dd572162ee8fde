package dev.rockpool.cli.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.page.Browser;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Scan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page of {@code ./rockpool scan --html}, over real libraries, in Chromium. */
class ScanInBrowser {
  @TempDir private static Path shared;
  private static Path page;

  @TempDir private Path downloads;

  private Browser browser;

  @BeforeAll
  static void scan() throws IOException {
    Path corpus = Path.of("target", "corpus");
    Path broken = Files.writeString(shared.resolve("broken.jar"), "not a jar");
    List<String> paths = List.of(corpus.toString(), broken.toString());
    Scan scan = Scan.of(new ClassPath(paths));
    page = shared.resolve("scan.html");
    Files.writeString(
        page, ScanReport.of(scan).page("./rockpool scan " + String.join(" ", paths)).html());
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
    browser.assertReadable(scheme, 1);
    browser.screenshot("scan-" + width + "-" + scheme + ".png", width);
  }

  /** As it is when somebody unfolds it, by a click. */
  @Test
  void showsThePlacesOfAnArtifact() throws IOException {
    browser.open(page, 390, "light");
    WebElement folded =
        browser.find("details").stream()
            .filter(details -> details.getText().contains("tomcat-coyote-ffm"))
            .findFirst()
            .orElseThrow();
    WebElement table = folded.findElement(By.tagName("table"));
    assertThat(table.isDisplayed()).isFalse();
    browser.script("arguments[0].scrollIntoView()", folded);
    folded.findElement(By.tagName("summary")).click();
    assertThat(table.getText()).contains("OpenSSLEngine.java:879", "at most 12 bytes");
    browser.assertReadable("light", 1);
    browser.screenshot("scan-390-places.png", 390);
  }

  @Test
  void showsEachNumberAsTextToo() {
    browser.open(page, 1280, "light");
    assertThat(browser.find("table caption")).hasSizeGreaterThan(3);
    assertThat(browser.script("return document.body.textContent").toString())
        .contains("datasketches-java-9.0.0.jar", "Skipped files", "broken.jar");
    assertThat(browser.script("return document.documentElement.lang")).isEqualTo("en");
  }
}
