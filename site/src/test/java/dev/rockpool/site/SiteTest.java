package dev.rockpool.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  @TempDir private Path root;
  private Path out;

  @BeforeEach
  void writePages() throws IOException {
    out = root.resolve("target/site");
    write("docs/more.md", "# More\n\n## Direct `memory`, twice\n\n[back](../README.md#home)\n");
    write("src/A.java", "class A { /* a < b */ }\n");
    write("LICENSE", "Free\n");
    write("unlinked.md", "[nowhere](nowhere.md)\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void pagesAreWhatLinksLeadTo() throws IOException {
    write(
        "README.md",
        """
        # Home

        [more](docs/more.md#direct-memory-twice), [code](src/A.java), [licence](LICENSE)
        and [elsewhere](https://example.org/none.md)

        | a | b |
        |---|---|
        | 1 | 2 |
        """);
    assertThat(Site.make(root, out)).isEmpty();
    assertThat(Files.readString(out.resolve("index.html")))
        .contains("<h1 id=\"home\">", "href=\"docs/more.html#direct-memory-twice\"", "<td>1</td>")
        .contains("href=\"src/A.java.html\"", "https://example.org/none.md");
    assertThat(Files.readString(out.resolve("docs/more.html")))
        .contains("href=\"../index.html#home\"");
    assertThat(Files.readString(out.resolve("src/A.java.html"))).contains("a &lt; b");
    assertThat(out.resolve("LICENSE")).hasContent("Free\n");
    assertThat(out.resolve("unlinked.html")).doesNotExist();
  }

  @Test
  void brokenLinksAreNamed() throws IOException {
    write(
        "README.md",
        "[a](none.md) [b](docs/more.md#none) [c](#none) [d](../outside.md) ![e](none.png)"
            + " [f](docs) [good](docs/more.md)\n");
    assertThat(Site.make(root, out))
        .containsExactlyInAnyOrder(
            "index.html: #none",
            "index.html: ../outside.md",
            "index.html: docs",
            "index.html: docs/more.html#none",
            "index.html: none.md",
            "index.html: none.png",
            "docs/more.html: ../index.html#home");
  }
}
