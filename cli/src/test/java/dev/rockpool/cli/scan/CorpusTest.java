package dev.rockpool.cli.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.scan.source.ClassPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Libraries that use the API, as they are published. The creations, and how they are closed, were
 * counted by hand in what {@code javap -c -p} prints.
 */
class CorpusTest {
  private static final Path FOLDER = Path.of("target", "corpus");

  private static Scan scan;

  @BeforeAll
  static void scan() {
    scan = Scan.of(new ClassPath(List.of(FOLDER.toString())), name -> {});
  }

  private static Artifact artifact(String jar) {
    return scan.artifacts().stream().filter(a -> a.label().equals(jar)).findFirst().orElseThrow();
  }

  /**
   * Not by try-with-resources: in Lucene a flag says whether to close; a class of Elasticsearch is
   * not made by a compiler, and closes in a handler for everything. Never in sight: LWJGL returns
   * the arena; java-does-usb, Elasticsearch and a class of GLib keep it in a field, DataSketches in
   * a map; 29 methods of GLib attach it to an object, for callbacks.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          #                             confined try other never ref escape passed nested loop shared auto global
          datasketches-java-9.0.0.jar    | 1  0  0 1 0 0 0  0 0 0 0  0
          elasticsearch-native-9.5.3.jar | 12 10 1 1 0 1 9  0 0 4 9  1
          glib-0.14.0.jar                | 2066 2036 0 30 0 1 1452 29 0 278 1142 79
          java-does-usb-1.2.1.jar        | 53 52 0 1 0 1 38 0 0 0 16 7
          jline-terminal-ffm-4.5.0.jar   | 27 27 0 0 0 0 18 0 0 0 14 1
          lucene-core-10.3.1.jar         | 1  0  1 0 0 0 1  0 0 2 0  0
          lwjgl-3.4.3.jar                | 1  0  0 1 0 1 0  0 0 1 2  0
          netty-common-4.2.7.Final.jar   | 0  0  0 0 0 0 0  0 0 0 0  0
          tomcat-coyote-ffm-10.1.34.jar  | 18 18 0 0 0 0 2  0 2 2 3  0
          """)
  void countsWhatWasCountedByHand(String jar, String figures) {
    List<String> row = ScanTables.lives(jar, artifact(jar).tally());

    assertThat(row.subList(1, row.size())).isEqualTo(Arrays.asList(figures.split(" +")));
  }

  @Test
  void readsAllOfThem() {
    assertThat(scan.skipped()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jline-terminal-ffm-4.5.0.jar   | CLibrary.java:531                 | at most 12 bytes
          jline-terminal-ffm-4.5.0.jar   | CLibrary.java:593                 | 8 bytes
          jline-terminal-ffm-4.5.0.jar   | NativeWinSysTerminal.java:259     | 22 bytes
          jline-terminal-ffm-4.5.0.jar   | Kernel32.java:313                 | 160 bytes
          java-does-usb-1.2.1.jar        | LinuxUsbDevice.java:127           | at most 272 bytes
          java-does-usb-1.2.1.jar        | UUID.java:32                      | 16 bytes
          tomcat-coyote-ffm-10.1.34.jar  | OpenSSLEngine.java:879            | at most 12 bytes
          elasticsearch-native-9.5.3.jar | JdkParquetRsLibrary.java:52       | 4096 bytes
          lwjgl-3.4.3.jar                | Upcalls.java:39                   | bytes unknown
          """)
  void knowsSizesThatTheCodeTells(String jar, String place, String bytes) {
    assertThat(artifact(jar).findings())
        .filteredOn(finding -> finding.location().endsWith("(" + place + ")"))
        .extracting(finding -> SiteText.bytes(finding.site()))
        .containsExactly(bytes);
  }

  @Test
  void putsAClassForALaterReleaseUnderThatRelease() {
    assertThat(artifact("lwjgl-3.4.3.jar").findings())
        .allSatisfy(finding -> assertThat(finding.release()).isEqualTo(25));
  }
}
