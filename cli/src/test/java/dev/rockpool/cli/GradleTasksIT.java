package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tasks start that the page on builds has for Gradle, which is not there to run them. */
class GradleTasksIT {
  private static final Pattern VALUE = Pattern.compile("'([^']*)'|([\\w.]+)");

  private static final String OPEN =
      """
      import java.lang.foreign.Arena;
      public class Main {
        static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  @TempDir private Path folder;

  @Test
  void scanTaskFailsWhereAPlaceMeetsACondition() throws IOException {
    Sources.compileTo(folder, OPEN);

    Exit scanned =
        run("rockpoolScan", Map.of("sourceSets.main.output.classesDirs.files", folder.toString()));

    assertThat(scanned.code()).as(scanned.toString()).isEqualTo(3);
    assertThat(scanned.outText()).contains("Main.java:4");
  }

  @Test
  void poolTaskWritesAnotherJar() throws IOException {
    Path pooled = folder.resolve("pooled.jar");

    Exit exit =
        run(
            "rockpoolPool",
            Map.of(
                "original",
                "target/corpus/jline-terminal-ffm-4.5.0.jar",
                "pooled",
                pooled.toString()));

    assertThat(exit.output().getFirst()).contains(" rewritten");
    assertThat(pooled).isNotEmptyFile();
  }

  private static Exit run(String task, Map<String, String> values) throws IOException {
    String page = Files.readString(Path.of("../docs/build-time.md"));
    String registered = "tasks.register('" + task + "', JavaExec) {\n";
    assertThat(page).contains(registered);
    int from = page.indexOf(registered) + registered.length();
    List<String> main = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (String line : page.substring(from, page.indexOf("\n}", from)).split("\n *")) {
      if (line.strip().startsWith("mainClass = ")) {
        main.addAll(values(line.strip().substring("mainClass = ".length()), values));
      } else if (line.strip().startsWith("args ")) {
        arguments.addAll(values(line.strip().substring("args ".length()), values));
      }
    }
    assertThat(main).hasSize(1);
    main.addAll(arguments);
    return Jvm.plain()
        .classPath(Path.of(System.getProperty("rockpool.cli.jar")))
        .run(main.toArray(String[]::new));
  }

  /** What Groovy makes of texts and names, separated by commas. */
  private static List<String> values(String groovy, Map<String, String> names) {
    List<String> found = new ArrayList<>();
    for (Matcher value = VALUE.matcher(groovy); value.find(); ) {
      String name = value.group(2);
      assertThat(name == null || names.containsKey(name)).as(name).isTrue();
      found.add(name == null ? value.group(1) : names.get(name));
    }
    return found;
  }
}
