package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
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
    scan = Scan.of(new ClassPath(List.of(FOLDER.toString())));
  }

  private static List<Finding> findings(String jar) {
    return scan.artifacts().stream()
        .filter(artifact -> artifact.name().endsWith(jar))
        .findFirst()
        .orElseThrow()
        .findings();
  }

  private static long count(String jar, Predicate<Finding> what) {
    return findings(jar).stream().filter(what).count();
  }

  private static long confined(String jar, Predicate<Finding> what) {
    return count(jar, finding -> finding.kind() == ArenaKind.CONFINED && what.test(finding));
  }

  private static long closed(String jar, Closing... how) {
    return confined(jar, finding -> List.of(how).contains(finding.closing()));
  }

  /**
   * Not by try-with-resources: a class of Elasticsearch is not made by a compiler, and closes in a
   * handler for everything. Left to a holder: java-does-usb and Elasticsearch keep the arena in a
   * field, and close it there; in Lucene a flag says whether to close it or to leave it to the
   * object that is returned; 29 methods of GLib attach it to an object, for callbacks, and a
   * cleaner closes it. Never in sight: LWJGL returns the arena, a class of GLib has a field with a
   * getter, and DataSketches a map.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          #                            confined try other holder unknown never ref escape passed nested loop shared auto global
          datasketches-java-9.0.0.jar    | 1    0    0  0  0  1  0  1  0    0  0  0   0    0
          elasticsearch-native-9.5.3.jar | 12   10   1  1  0  0  0  0  9    0  0  4   9    1
          glib-0.14.0.jar                | 2066 2036 0  29 0  1  0  1  1452 29 0  278 1142 79
          java-does-usb-1.2.1.jar        | 53   52   0  1  0  0  0  0  38   0  0  0   16   7
          jline-terminal-ffm-4.5.0.jar   | 27   27   0  0  0  0  0  0  18   0  0  0   14   1
          lucene-core-10.3.1.jar         | 1    0    0  1  0  0  0  0  1    0  0  2   0    0
          lwjgl-3.4.3.jar                | 1    0    0  0  0  1  0  1  0    0  0  1   2    0
          netty-common-4.2.7.Final.jar   | 0    0    0  0  0  0  0  0  0    0  0  0   0    0
          tomcat-coyote-ffm-10.1.34.jar  | 18   18   0  0  0  0  0  0  2    0  2  2   3    0
          """)
  void countsWhatWasCountedByHand(String jar, String figures) {
    assertThat(
            LongStream.of(
                confined(jar, finding -> true),
                closed(jar, Closing.TRY_WITH_RESOURCES, Closing.KOTLIN_USE),
                closed(jar, Closing.ALL_PATHS, Closing.SOME_PATHS),
                closed(jar, Closing.BY_HOLDER),
                closed(jar, Closing.UNKNOWN),
                closed(jar, Closing.NEVER),
                closed(jar, Closing.OUT_OF_SIGHT),
                confined(jar, Condition.ESCAPE::isMetBy),
                confined(jar, f -> f.escapes().contains(Escape.PASSED)),
                confined(jar, Finding::nested),
                confined(jar, Finding::inLoop),
                count(jar, f -> f.kind() == ArenaKind.SHARED),
                count(jar, f -> f.kind() == ArenaKind.AUTO),
                count(jar, f -> f.kind() == ArenaKind.GLOBAL)))
        .containsExactlyElementsOf(Arrays.stream(figures.split(" +")).map(Long::valueOf).toList());
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
          java-does-usb-1.2.1.jar        | LinuxUsbDevice.java:127           | at most 268 bytes
          java-does-usb-1.2.1.jar        | UUID.java:32                      | 16 bytes
          tomcat-coyote-ffm-10.1.34.jar  | OpenSSLEngine.java:879            | at most 12 bytes
          elasticsearch-native-9.5.3.jar | JdkParquetRsLibrary.java:52       | 4096 bytes
          lwjgl-3.4.3.jar                | Upcalls.java:39                   | bytes unknown
          """)
  void knowsSizesThatTheCodeTells(String jar, String place, String bytes) {
    assertThat(findings(jar))
        .filteredOn(finding -> finding.place().toString().endsWith("(" + place + ")"))
        .extracting(ShapesTest::bytes)
        .containsExactly(bytes);
  }

  @Test
  void putsAClassForALaterReleaseUnderThatRelease() {
    assertThat(findings("lwjgl-3.4.3.jar"))
        .allSatisfy(finding -> assertThat(finding.place().release()).isEqualTo(25));
  }
}
