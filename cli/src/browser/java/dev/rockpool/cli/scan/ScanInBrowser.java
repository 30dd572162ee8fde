package dev.rockpool.cli.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.PageInBrowser;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Scan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page of {@code ./rockpool scan --html}, over real libraries, in Chromium. */
class ScanInBrowser extends PageInBrowser {
  @TempDir private Path jars;

  ScanInBrowser() {
    super("scan", 0);
  }

  @Override
  protected Page page() throws IOException {
    Path corpus = Path.of("target", "corpus");
    Path broken = Files.writeString(jars.resolve("broken.jar"), "not a jar");
    List<String> paths = List.of(corpus.toString(), broken.toString());
    return ScanReport.of(Scan.of(new ClassPath(paths)))
        .page("./rockpool scan " + String.join(" ", paths));
  }

  /** As it is when somebody unfolds it, by a click. */
  @Test
  void showsThePlacesOfAnArtifact() throws IOException {
    open(page(), 390, "light");
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
    browser.assertReadable("light", 0);
    browser.screenshot("scan-390-places.png", 390);
    assertThat(browser.script("return document.body.textContent").toString())
        .contains("datasketches-java-9.0.0.jar", "Skipped files", "broken.jar");
  }
}
