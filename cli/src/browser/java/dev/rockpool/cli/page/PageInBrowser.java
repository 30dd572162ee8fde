package dev.rockpool.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials that each page has to pass; a browser for each test. */
public abstract class PageInBrowser {
  @TempDir private Path folder;

  private final String name;
  private final int charts;
  protected Browser browser;

  /**
   * @param name of the page's pictures
   * @param charts on the page
   */
  protected PageInBrowser(String name, int charts) {
    this.name = name;
    this.charts = charts;
  }

  /** Returns the page. */
  protected abstract Page page() throws IOException;

  @BeforeEach
  void start() {
    browser = new Browser(folder);
  }

  @AfterEach
  void end() {
    browser.close();
  }

  protected void open(Page page, int width, String scheme) throws IOException {
    browser.open(Files.writeString(folder.resolve("page.html"), page.html()), width, scheme);
  }

  @ParameterizedTest
  @CsvSource({"390, light", "390, dark", "1280, light", "1280, dark"})
  void isReadable(int width, String scheme) throws IOException {
    open(page(), width, scheme);
    browser.assertReadable(scheme, charts);
    assertThat(browser.script("return document.documentElement.lang")).isEqualTo("en");
    browser.screenshot(name + "-" + width + "-" + scheme + ".png", width);
  }
}
