package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that bring the agent into a container, with a folder in place of an image's root. */
class ContainerExampleIT {
  private static final Path EXAMPLE = Path.of("../examples/container");
  private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;
      public class Main {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(arena.getClass().getSimpleName());
          }
          String options = System.getProperty("rockpool.agent.options");
          System.out.println(options.contains("limit=25%"));
        }
      }
      """;

  @TempDir private Path root;

  @Test
  void imageOfAProgramHasTheAgent() throws IOException {
    build("app");

    String set = VARIABLE + "=";
    String variable =
        instructions("app", "ENV").stream()
            .filter(each -> each.startsWith(set))
            .findFirst()
            .orElseThrow();
    assertThat(outputWith(variable.substring(set.length())))
        .containsExactly("RockpoolBlockArena", "false");
  }

  @Test
  void initContainerBringsTheAgentToAnImageAsItIs() throws Exception {
    build("agent");
    Yaml pod =
        Yaml.parse(Files.readString(EXAMPLE.resolve("kubernetes.yaml")))
            .at("spec", "template", "spec");
    Yaml from = pod.at("initContainers", 0);
    Yaml to = pod.at("containers", 0);
    String mounted = from.at("volumeMounts", 0, "mountPath").text();
    assertThat(to.at("volumeMounts", 0, "mountPath").text()).isEqualTo(mounted);
    assertThat(List.of(from, to))
        .extracting(each -> each.at("volumeMounts", 0, "name").text())
        .containsOnly(pod.at("volumes", 0, "name").text());

    Files.createDirectory(inside(mounted));
    List<String> command = new ArrayList<>();
    for (Yaml argument : from.at("command").list()) {
      String text = argument.text();
      command.add(text.startsWith("/") ? inside(text) + (text.endsWith("/") ? "/" : "") : text);
    }
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();

    assertThat(to.at("env", 0, "name").text()).isEqualTo(VARIABLE);
    assertThat(outputWith(to.at("env", 0, "value").text()))
        .containsExactly("RockpoolBlockArena", "true");
  }

  /** Copies the agent's jar as a stage of the Dockerfile does. */
  private void build(String stage) throws IOException {
    Path agent = Path.of(System.getProperty("rockpool.agent.jar"));
    int copied = 0;
    for (String copy : instructions(stage, "COPY")) {
      List<String> files =
          Arrays.stream(copy.split(" ")).filter(each -> !each.startsWith("--")).toList();
      Path into = Files.createDirectories(inside(files.getLast()));
      if (files.contains(agent.getFileName().toString())) {
        Files.copy(agent, into.resolve(agent.getFileName()));
        copied++;
      }
    }
    assertThat(copied).isEqualTo(1);
  }

  /** The arguments of one kind of instruction in a stage of the Dockerfile. */
  private static List<String> instructions(String stage, String kind) throws IOException {
    List<String> found = new ArrayList<>();
    boolean isIn = false;
    for (String line : Files.readAllLines(EXAMPLE.resolve("Dockerfile"))) {
      if (line.startsWith("FROM ")) {
        isIn = line.endsWith(" AS " + stage);
      } else if (isIn && line.startsWith(kind + " ")) {
        found.add(line.substring(kind.length() + 1));
      }
    }
    assertThat(found).as(stage + " " + kind).isNotEmpty();
    return found;
  }

  private Path inside(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /**
   * The class of an arena in a JVM that the variable tells of the agent, and whether it has a
   * limit.
   */
  private List<String> outputWith(String variable) {
    String agent = "-javaagent:";
    assertThat(variable).startsWith(agent + "/");
    return Jvm.plain()
        .with("-Drockpool.start.after=0")
        .classPath(Sources.compileTo(root, PROGRAM))
        .environment(VARIABLE, agent + inside(variable.substring(agent.length())))
        .run("Main")
        .output();
  }
}
