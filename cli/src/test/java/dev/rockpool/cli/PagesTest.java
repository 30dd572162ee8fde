package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project's documents: links lead to a file, and to a heading in it; commands are accepted, and
 * code compiles.
 */
class PagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|^    [^\n]*$|`[^`\n]*`");
  private static final Pattern LINK =
      Pattern.compile("]\\((?!\\w+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

  /** A line of an example, without its comment; synopses have brackets. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^ {4,}\\./rockpool (?!bench\\b)([^\\[\n]+?) *(?: #.*)?$");

  /** Java with imports, possibly indented; fragments without are not compiled. */
  private static final Pattern JAVA = Pattern.compile("(?ms)^( *)```java\n(\\1import .*?)^\\1```");

  private static final Pattern IMPORTS = Pattern.compile("(?:import .*\n|\n)+");

  @Test
  void linksLeadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      String text = CODE.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult link : LINK.matcher(text).results().toList()) {
        links++;
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (!Files.exists(target)
            || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
          broken.add(ROOT.relativize(page) + ": " + link.group());
        }
      }
    }
    assertThat(links).isGreaterThan(100);
    assertThat(broken).isEmpty();
  }

  @Test
  void commandsAreAccepted() throws IOException {
    int commands = 0;
    for (Path page : pages()) {
      for (MatchResult line : COMMAND.matcher(Files.readString(page)).results().toList()) {
        commands++;
        String command = line.group(1).replaceAll("\\bPID\\b", "1234");
        assertThatCode(() -> Main.commandLine().parseArgs(command.split(" +")))
            .as("%s: %s", ROOT.relativize(page), command)
            .doesNotThrowAnyException();
      }
    }
    assertThat(commands).isGreaterThan(20);
  }

  @Test
  void javaCompiles(@TempDir Path folder) throws IOException {
    int examples = 0;
    for (Path page : pages()) {
      for (MatchResult example : JAVA.matcher(Files.readString(page)).results().toList()) {
        examples++;
        String code = example.group(2).replaceAll("(?m)^" + example.group(1), "");
        if (!code.contains("class ")) {
          code =
              IMPORTS
                      .matcher(code)
                      .replaceFirst("$0class Example { void run() throws Exception {\n")
                  + "}}";
        }
        Sources.compileTo(folder, List.of("-cp", System.getProperty("java.class.path")), code);
      }
    }
    assertThat(examples).isGreaterThan(4);
  }

  /** Those in version control: none of a build. */
  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.find(ROOT, 4, (file, any) -> file.toString().endsWith(".md"))) {
      return all.filter(file -> !ROOT.relativize(file).toString().contains("target")).toList();
    }
  }

  /** As forges make them of headings. */
  private static Set<String> anchors(Path page) throws IOException {
    String text = FENCE.matcher(Files.readString(page)).replaceAll("");
    return HEADING
        .matcher(text)
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
