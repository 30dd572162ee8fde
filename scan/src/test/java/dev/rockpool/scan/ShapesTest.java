package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One class for each shape, compiled by all compilers. A comment that starts with an arrow says
 * what has to be found in the next line that is none.
 */
class ShapesTest {
  private static final Pattern EXPECTED = Pattern.compile("\\s*(?://|;) -> (.*)");

  @TempDir private static Path folder;
  private static final Map<Compiler, Scan> SCANS = new EnumMap<>(Compiler.class);

  private static List<Path> sources() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.list(Path.of(ShapesTest.class.getResource("shapes").toURI()))) {
      return files.sorted().toList();
    }
  }

  static Stream<Arguments> shapes() throws IOException, URISyntaxException {
    return sources().stream()
        .flatMap(
            source ->
                Stream.of(Compiler.values())
                    .filter(compiler -> compiler.takes(source))
                    .map(compiler -> argumentSet(name(source, compiler), source, compiler)));
  }

  private static String name(Path source, Compiler compiler) {
    return source.getFileName() + ", " + compiler;
  }

  /** All of its classes, since a compiler takes longer to start than to compile. */
  @BeforeAll
  static void compile() throws IOException, URISyntaxException {
    for (Compiler compiler : Compiler.values()) {
      Path classes = Files.createDirectory(folder.resolve(compiler.name()));
      compiler.compile(sources().stream().filter(compiler::takes).toList(), classes);
      SCANS.put(compiler, Scan.of(new ClassPath(List.of(classes.toString()))));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void findsWhatTheSourceSays(Path source, Compiler compiler) throws IOException {
    Scan scan = SCANS.get(compiler);

    assertThat(scan.skipped()).isEmpty();
    assertThat(found(scan, source.getFileName().toString()))
        .containsExactlyInAnyOrderElementsOf(expected(source));
  }

  private static List<String> found(Scan scan, String source) {
    return scan.artifacts().stream()
        .flatMap(artifact -> artifact.findings().stream())
        .filter(finding -> finding.place().source().filter(source::equals).isPresent())
        .map(finding -> finding.place().line() + ": " + text(finding))
        .toList();
  }

  /** For example "confined: try-with-resources; nested, in a loop; at most 8 bytes". */
  private static String text(Finding finding) {
    List<String> circumstances = new ArrayList<>();
    finding.escapes().forEach(escape -> circumstances.add(escape.label()));
    if (finding.nested()) {
      circumstances.add("nested");
    }
    if (finding.inLoop()) {
      circumstances.add("in a loop");
    }
    return finding.kind().label()
        + ": "
        + finding.closing().label()
        + "; "
        + (circumstances.isEmpty() ? "" : String.join(", ", circumstances) + "; ")
        + bytes(finding);
  }

  static String bytes(Finding finding) {
    if (finding.bytes().isEmpty()) {
      return "bytes unknown";
    }
    long bytes = finding.bytes().getAsLong();
    String most = finding.requests().size() > 1 ? "at most " : "";
    return bytes == 0 ? "asked for nothing" : most + bytes + (bytes == 1 ? " byte" : " bytes");
  }

  private static List<String> expected(Path source) throws IOException {
    List<String> expected = new ArrayList<>();
    List<String> waiting = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(source)) {
      number++;
      Matcher comment = EXPECTED.matcher(line);
      if (comment.matches()) {
        waiting.add(comment.group(1));
      } else {
        for (String text : waiting) {
          expected.add(number + ": " + text);
        }
        waiting.clear();
      }
    }
    return expected;
  }
}
