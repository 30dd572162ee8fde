package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.tools.attach.AgentInitializationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-     | -     | true  | -",
        "off   | -     | false | -",
        "-     | off   | false | -",
        "on    | -     | true  | -",
        "on    | off   | true  | -",
        "off   | on    | false | -",
        "maybe | -     | true  | System property rockpool.agent",
        "maybe | off   | false | System property rockpool.agent",
        "OFF   | -     | true  | System property rockpool.agent",
        "''    | -     | true  | System property rockpool.agent",
        "-     | 0     | true  | Environment variable ROCKPOOL_AGENT",
        "off   | 0     | false | -"
      })
  void theAgentIsSwitchedFromOutside(
      String property, String variable, boolean pooled, String ignored) {
    ChildJvm.Exit exit = switched(ChildJvm.withAgent(), property, variable).run("Main");

    assertThat(exit.output()).containsExactly(pooled ? POOLED : REGULAR);
    String value = ignored != null && ignored.startsWith("System") ? property : variable;
    assertThat(String.join("\n", exit.err()))
        .isEqualTo(
            ignored == null
                ? ""
                : "[rockpool] "
                    + ignored
                    + " must be on or off, and is ignored: \""
                    + value
                    + "\"");
  }

  @Test
  void optionsThatAreNotAcceptedDoNotMatterWhereTheAgentIsOff() {
    ChildJvm.Exit exit = switched(ChildJvm.withAgent("nonsense"), "off", null).run("Main");

    assertThat(exit.quietOutput()).containsExactly(REGULAR);
  }

  @Test
  void whoeverAttachesToAJvmWithTheAgentOffIsRefused() throws Exception {
    Sources.compileTo(directory, Programs.CONVERSATION);
    try (ChildJvm.Running target =
        ChildJvm.plain()
            .with(Attachment.ALLOW)
            .environment("ROCKPOOL_AGENT", "off")
            .classPath(directory)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");

      assertThatThrownBy(() -> Attachment.attach(target, ""))
          .isInstanceOf(AgentInitializationException.class);
      assertThat(target.ask("call")).isEqualTo(REGULAR);
      Attachment.uninstall(target);

      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err())
          .contains(
              "[rockpool] The agent is switched off in this JVM; the program runs on without it");
    }
  }

  private ChildJvm switched(ChildJvm jvm, String property, String variable) {
    Sources.compileTo(directory, Programs.ARENA);
    if (property != null) {
      jvm.with("-Drockpool.agent=" + property);
    }
    if (variable != null) {
      jvm.environment("ROCKPOOL_AGENT", variable);
    }
    return jvm.classPath(directory);
  }
}
