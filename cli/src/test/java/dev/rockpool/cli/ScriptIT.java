package dev.rockpool.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rockpool} in a checkout on a machine that has a JDK and the shell's tools, no Maven. */
class ScriptIT {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "id",
          "mkdir",
          "readlink",
          "sed",
          "sleep",
          "sort",
          "tail",
          "touch");

  /** Writes its log as Maven does, and fails. */
  private static final String MAVEN =
      """
      #!/bin/bash
      echo '[INFO] Building Rockpool Core 0.1.0-SNAPSHOT                   [2/6]'
      echo '[INFO] --- compiler:3.16.0:compile (default-compile) @ rockpool ---'
      echo '[ERROR] a warning of the compiler'
      exit 1
      """;

  @TempDir private Path folder;
  private Path checkout;
  private Path tools;

  @BeforeEach
  void copy() throws IOException {
    Path home = Path.of(System.getProperty("rockpool.home"));
    checkout = Files.createDirectory(folder.resolve("checkout"));
    Files.createDirectories(checkout.resolve("docs"));
    Files.createDirectories(checkout.resolve(".ci"));
    for (String file : List.of("docs/commands.md", ".ci/install", "rockpool")) {
      Files.copy(home.resolve(file), checkout.resolve(file));
    }
    tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }
  }

  @Test
  void saysWhatInstallsMaven() throws IOException, InterruptedException {
    script("apt-get", "#!/bin/bash\n");
    script("apt-cache", "#!/bin/bash\n");

    assertThat(rockpool(2, "demo"))
        .containsSubsequence(
            "rockpool: the build needs Apache Maven 3.6.3 or newer. This installs what is missing:",
            "apt-get install -y maven\n",
            "rockpool --install demo' does the same, and goes on\n");
  }

  @Test
  void installsMavenAndShowsWhatTheBuildDoes() throws IOException, InterruptedException {
    Path maven = script("maven", MAVEN);
    script("sudo", "#!/bin/bash\nexec \"$@\"\n");
    script("apt-cache", "#!/bin/bash\n");
    script(
        "apt-get",
        "#!/bin/bash\n[ \"$*\" != \"install -y -qq maven\" ] || { cd %s && mv maven mvn; }\n"
            .formatted(maven.getParent()));
    Files.createSymbolicLink(tools.resolve("mv"), Path.of("/usr/bin/mv"));

    assertThat(rockpool(1, "--install", "demo"))
        .containsSubsequence(
            ".ci/install: apt-get install maven\n",
            "rockpool: building core agent cli (log: ",
            "  [2/6] Rockpool Core: compile\n",
            "[ERROR] a warning of the compiler\n",
            "rockpool: the build failed; all it said is in ")
        .doesNotContain("[INFO]");
  }

  @Test
  void installsNothingOnASystemThatItDoesNotKnow() throws IOException, InterruptedException {
    assertThat(rockpool(2, "--install", "demo"))
        .contains(
            ".ci/install: cannot install maven here (needs apt-get, and root or sudo)\n"
                + "rockpool: the build needs Apache Maven 3.6.3 or newer\n");
    assertThat(rockpool(2, "demo")).contains("    # There is no apt-get here: ");
  }

  private Path script(String name, String text) throws IOException {
    Path script = Files.writeString(tools.resolve(name), text);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns what the script says on standard error. */
  private String rockpool(int exitCode, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(checkout.resolve("rockpool").toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String said = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    return said;
  }
}
