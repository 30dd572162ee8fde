package dev.rockpool.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;

/**
 * Chromium without a display and without a network, for one page of ours. Pictures of it are left
 * in {@code target/browser}, to be looked at.
 */
public final class Browser implements AutoCloseable {
  private final ChromeDriver driver;

  /** Starts it; what is saved by clicks goes to {@code downloads}. */
  public Browser(Path downloads) {
    System.setProperty("webdriver.chrome.driver", program("chromedriver"));
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium"));
    // No sandbox, since builds often run as root; all that is loaded is our own file.
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    options.setExperimentalOption(
        "prefs", Map.of("download.default_directory", downloads.toString()));
    options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
    driver = new ChromeDriver(options);
    driver.executeCdpCommand("Network.enable", Map.of());
    driver.executeCdpCommand(
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

  /** For what only a test of one page needs. */
  public ChromeDriver driver() {
    return driver;
  }

  /** A scheme is what the system prefers: light or dark. */
  public void scheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  public void open(Path page, int width, String scheme) {
    scheme(scheme);
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.get(page.toUri().toString());
  }

  /** Lays the page out as on paper. */
  public void printed(int width) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
  }

  /** Prints the page as PDF. */
  public void print(String name) throws IOException {
    Map<String, Object> pdf = driver.executeCdpCommand("Page.printToPDF", Map.of());
    write(name, pdf);
  }

  public Object script(String script, Object... args) {
    return driver.executeScript(script, args);
  }

  public List<WebElement> find(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  /** No errors, nothing beside the screen, the colors of the scheme, and all charts drawn. */
  public void assertReadable(String scheme, int charts) {
    assertThat(driver.manage().logs().get(LogType.BROWSER)).isEmpty();
    assertThat(script("return document.documentElement.scrollWidth"))
        .as("nothing sticks out to the right")
        .isEqualTo(script("return document.documentElement.clientWidth"));
    assertThat(
            (List<?>)
                script(
                    """
                    const folded = [...document.querySelectorAll("details:not([open])")];
                    folded.forEach(details => details.open = true);
                    const wide = [...document.querySelectorAll(".scroll:has(table)")]
                        .filter(e => innerWidth < 600 && e.scrollWidth > e.clientWidth + 1)
                        .map(e => e.innerText);
                    folded.forEach(details => details.open = false);
                    return wide;
                    """))
        .as("tables that are wider than a telephone")
        .isEmpty();
    assertThat(script("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo(scheme.equals("dark") ? "rgb(20, 24, 28)" : "rgb(255, 255, 255)");
    assertThat(find(".chart")).hasSize(charts).allSatisfy(this::isDrawn);
  }

  /** A picture with bars, and a name for those who do not see. */
  private void isDrawn(WebElement chart) {
    assertThat(chart.findElements(By.tagName("rect"))).isNotEmpty();
    WebElement picture = chart.findElement(By.tagName("svg"));
    assertThat(picture.getSize().getHeight()).isGreaterThan(200);
    assertThat(picture.getDomAttribute("role")).isEqualTo("img");
    assertThat(picture.getDomAttribute("aria-label")).isNotBlank();
  }

  public void screenshot(String name, int width) throws IOException {
    long height = ((Number) script("return document.documentElement.scrollHeight")).longValue();
    Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
    Map<String, Object> png =
        driver.executeCdpCommand(
            "Page.captureScreenshot",
            Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
    write(name, png);
  }

  private static void write(String name, Map<String, Object> result) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "browser"));
    Files.write(folder.resolve(name), Base64.getDecoder().decode(result.get("data").toString()));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
