package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.page.PageFile;
import dev.rockpool.cli.report.recording.Merge;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
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

  private ChromeDriver browser;

  @BeforeAll
  static void report() throws IOException {
    Merge merge = new Merge();
    merge.add(Samples.record(shared.resolve("sample.jfr")));
    merge.add(Files.createFile(shared.resolve("empty.jfr")));
    page = shared.resolve("report.html");
    new PageFile(page).write(ReportPage.of(Report.of(merge)));
  }

  @BeforeEach
  void start() {
    System.setProperty("webdriver.chrome.driver", program("chromedriver"));
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium"));
    // No sandbox, since builds often run as root; all that is loaded is our own file.
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    options.setExperimentalOption(
        "prefs", Map.of("download.default_directory", downloads.toString()));
    options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
    browser = new ChromeDriver(options);
    browser.executeCdpCommand("Network.enable", Map.of());
    browser.executeCdpCommand(
        "Network.emulateNetworkConditions",
        Map.of("offline", true, "latency", 0, "downloadThroughput", 0, "uploadThroughput", 0));
  }

  /** Named by a system property, or else found on PATH: Selenium would download what is missing. */
  private static String program(String name) {
    String property = System.getProperty("browser." + name);
    if (property != null) {
      return property;
    }
    for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
      Path file = Path.of(folder, name);
      if (Files.isExecutable(file)) {
        return file.toString();
      }
    }
    throw new AssertionError(
        name + " must be on PATH (Debian: apt-get install chromium chromium-driver)");
  }

  @AfterEach
  void end() {
    if (browser != null) {
      browser.quit();
    }
  }

  private void open(int width, String scheme) {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
    browser.get(page.toUri().toString());
  }

  private Object script(String script, Object... args) {
    return browser.executeScript(script, args);
  }

  @ParameterizedTest
  @CsvSource({"390, light", "390, dark", "1280, light", "1280, dark"})
  void isReadable(int width, String scheme) throws IOException {
    open(width, scheme);

    assertThat(browser.manage().logs().get(LogType.BROWSER)).isEmpty();
    assertThat(script("return document.documentElement.scrollWidth"))
        .as("nothing sticks out to the right")
        .isEqualTo(script("return document.documentElement.clientWidth"));
    assertThat(script("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo(scheme.equals("dark") ? "rgb(20, 24, 28)" : "rgb(255, 255, 255)");
    List<WebElement> charts = browser.findElements(By.cssSelector(".chart"));
    assertThat(charts).hasSize(5).allSatisfy(this::isDrawn);
    screenshot("report-" + width + "-" + scheme + ".png", width);
  }

  /** A canvas with more than one color, as wide as its place, and not behind others. */
  private void isDrawn(WebElement chart) {
    Object colors =
        script(
            "const c = arguments[0].querySelector('canvas');"
                + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                + "const s = new Set(); for (let i = 0; i < d.length; i += 4)"
                + " s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size;",
            chart);
    assertThat((Long) colors).isGreaterThan(10);
    assertThat(script("return arguments[0].firstChild.clientWidth", chart))
        .isEqualTo(script("return arguments[0].clientWidth", chart));
    assertThat(chart.getDomAttribute("role")).isEqualTo("img");
    assertThat(chart.getDomAttribute("aria-label")).isNotBlank();
  }

  private void screenshot(String name, int width) throws IOException {
    long height = ((Number) script("return document.documentElement.scrollHeight")).longValue();
    Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
    Map<String, Object> png =
        browser.executeCdpCommand(
            "Page.captureScreenshot",
            Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
    Path folder = Files.createDirectories(Path.of("target", "browser"));
    Files.write(folder.resolve(name), Base64.getDecoder().decode(png.get("data").toString()));
  }

  @Test
  void showsEachNumberAsTextToo() {
    open(390, "light");
    assertThat(script("return document.querySelector('table').textContent").toString())
        .contains("Arenas with zero bytes", "4,800 (46.149 %)");
    assertThat(browser.findElements(By.cssSelector("table caption"))).hasSizeGreaterThan(9);
    assertThat(script("return document.documentElement.lang")).isEqualTo("en");
    WebElement folded = browser.findElement(By.cssSelector("details"));
    assertThat(folded.findElement(By.tagName("table")).isDisplayed()).isFalse();
    script("arguments[0].scrollIntoView()", folded);
    folded.findElement(By.tagName("summary")).click();
    assertThat(folded.findElement(By.tagName("table")).getText()).contains("8-15 5,300");
  }

  @Test
  void drawsAgainWhenTheSystemTurnsDark() {
    open(1280, "light");
    String light = picture(0);
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
    new WebDriverWait(browser, PATIENCE).until(b -> !picture(0).equals(light));
  }

  private String picture(int chart) {
    return script(
            "return document.querySelectorAll('.chart canvas')[arguments[0]].toDataURL()", chart)
        .toString();
  }

  /** By a real click on the symbol above each chart. */
  @Test
  void savesEachChartAsPng() throws IOException {
    open(1280, "light");
    List<WebElement> charts = browser.findElements(By.cssSelector(".chart"));
    for (int i = 0; i < charts.size(); i++) {
      WebElement chart = charts.get(i);
      script("arguments[0].scrollIntoView({block: 'center'})", chart);
      Dimension size = chart.getSize();
      // The symbol is in the corner at the top right; the actions count from the middle.
      new Actions(browser)
          .moveToElement(chart, size.getWidth() / 2 - 16, -size.getHeight() / 2 + 16)
          .click()
          .perform();
      int expected = i + 1;
      new WebDriverWait(browser, PATIENCE).until(b -> saved().size() == expected);
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
