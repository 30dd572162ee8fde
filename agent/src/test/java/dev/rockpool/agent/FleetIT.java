package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All JVMs of a fleet are given the agent by their environment: whatever they are, they run. */
class FleetIT {
  private static final String HELLO =
      """
      public class Hello {
        public static void main(String[] args) {
          System.out.println("Hello " + System.getProperty("java.specification.version"));
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void aJvmThatIsTooOldSaysSoAndRunsItsProgram() throws IOException {
    List<Path> homes = olderJdks();
    assumeFalse(homes.isEmpty(), "there is no JDK older than the agent");
    Path program = Sources.compileTo(directory, List.of("--release", "8"), HELLO);

    for (Path home : homes) {
      ChildJvm.Exit exit = tooOld(home).classPath(program).run("Hello");
      ChildJvm.Exit off =
          tooOld(home).environment("ROCKPOOL_AGENT", "off").classPath(program).run("Hello");

      assertThat(off.output()).singleElement().asString().startsWith("Hello ");
      assertThat(off.err()).hasSize(1);
      assertThat(exit.output()).singleElement().asString().startsWith("Hello ");
      assertThat(exit.err()).hasSize(2);
      assertThat(exit.err().getFirst()).startsWith("Picked up JAVA_TOOL_OPTIONS: ");
      assertThat(exit.err().getLast())
          .matches(
              "\\[rockpool] needs Java 25 or newer, this is .+; the program runs on without it");
    }
  }

  private static ChildJvm tooOld(Path home) {
    return ChildJvm.plain()
        .of(home)
        .environment("JAVA_TOOL_OPTIONS", "-javaagent:" + ChildJvm.AGENT_JAR + "=verbose");
  }

  /** In the places where the build looks for JDKs, too. */
  private static List<Path> olderJdks() throws IOException {
    Path folder = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> homes = Files.list(folder)) {
      return homes.filter(Files::isDirectory).filter(FleetIT::isOlder).toList();
    }
  }

  private static boolean isOlder(Path home) {
    Path release = home.resolve("release");
    try {
      return Files.isExecutable(home.resolve("bin/java"))
          && Files.isReadable(release)
          && Files.readAllLines(release).stream()
              .anyMatch(line -> line.matches("JAVA_VERSION=\"(1\\.8|9|1[0-9]|2[0-4])[._\"].*"));
    } catch (IOException unreadable) {
      return false;
    }
  }

  @Test
  void theJarHasNothingThatAnOlderJvmStumblesOver() throws IOException {
    try (JarFile jar = new JarFile(ChildJvm.AGENT_JAR.toFile())) {
      assertThat(jar.isMultiRelease()).isFalse();
      assertThat(jar.stream().map(entry -> entry.getName()))
          .noneMatch(name -> name.endsWith("module-info.class"))
          .noneMatch(name -> name.startsWith("META-INF/versions/"));
    }
  }
}
