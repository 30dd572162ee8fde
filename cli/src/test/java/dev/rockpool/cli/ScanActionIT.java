package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The action for GitHub: its commands run as there, on a checkout that has the built jar. */
class ScanActionIT {
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *(.*?) *}}");
  private static final String SCAN = "Scan";
  private static final String NAME_FILES = "Name source files from the repository's root";
  private static final String UPLOAD = "Upload";

  private static final String OPEN =
      """
      package app;
      import java.lang.foreign.Arena;
      public class Main {
        static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  @TempDir private Path folder;
  private Yaml action;
  private final Map<String, String> inputs = new TreeMap<>();

  @BeforeEach
  void checkOut() throws IOException {
    action = Yaml.parse(Files.readString(Path.of("../scan/action.yml")));
    for (String input : action.at("inputs").keys()) {
      inputs.put(input, action.at("inputs", input, "default").text());
    }
    Path command = folder.resolve("rockpool/rockpool");
    Files.createDirectories(folder.resolve("rockpool/scan"));
    Files.writeString(
        command,
        "#!/usr/bin/env bash\nexec '%s' \"$@\"\n"
            .formatted(String.join("' '", CommandLineJar.command())));
    assertThat(command.toFile().setExecutable(true)).isTrue();
    Sources.compileTo(Files.createDirectories(folder.resolve("target/classes")), OPEN);
  }

  @Test
  void jobFailsAndThePlacesAreUploadedWithFilesOfTheRepository() throws IOException {
    Outcome scanned = run(SCAN);

    assertThat(scanned.exitCode()).as(scanned.err()).isEqualTo(3);
    assertThat(scanned.out()).contains("Main.java:5");
    assertThat(run(NAME_FILES).exitCode()).isZero();
    Path uploaded = Path.of(evaluated(step(UPLOAD).at("with", "sarif_file")));
    assertThat(Files.readString(uploaded)).contains("\"uri\": \"src/main/java/app/Main.java\"");
    assertThat(step(UPLOAD).at("if").text())
        .isEqualTo(step(NAME_FILES).at("if").text())
        .contains("!cancelled()");
  }

  @Test
  void placesOfTheBaselineMayStay() throws IOException {
    String classes = folder.resolve("target/classes").toString();
    inputs.put("baseline", "known places.txt");
    String baseline = folder.resolve("known places.txt").toString();
    CommandLineJar.rockpool("scan", classes, "--fail-on", "never", "--write-baseline", baseline);

    Outcome scanned = run(SCAN);

    assertThat(scanned.exitCode()).as(scanned.err()).isZero();
    assertThat(scanned.out()).contains("accepted by the baseline");
  }

  @Test
  void publishedWorkflowSetsInputsThatThereAre() throws IOException {
    MatchResult workflow =
        Pattern.compile("### On GitHub\n.*?```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/scan.md")))
            .results()
            .findFirst()
            .orElseThrow();
    List<Yaml> steps = Yaml.parse(workflow.group(1)).at("jobs", "scan", "steps").list();

    assertThat(steps.getLast().at("uses").text()).contains("/rockpool/scan@");
    assertThat(inputs.keySet()).containsAll(steps.getLast().at("with").keys());
  }

  private Yaml step(String name) {
    return action.at("runs", "steps").list().stream()
        .filter(each -> each.at("name").text().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String evaluated(Yaml text) {
    return EXPRESSION.matcher(text.text()).replaceAll(each -> value(each.group(1)));
  }

  private String value(String expression) {
    if (expression.equals("runner.temp")) {
      return Matcher.quoteReplacement(folder.toString());
    }
    String input = expression.replaceFirst("^inputs\\.", "");
    assertThat(inputs).as(expression).containsKey(input);
    return Matcher.quoteReplacement(inputs.get(input));
  }

  /** Runs a step by the shell's options on GitHub. */
  private Outcome run(String name) throws IOException {
    Yaml step = step(name);
    assertThat(step.at("shell").text()).isEqualTo("bash");
    Path script = Files.writeString(folder.resolve("step.sh"), step.at("run").text());
    ProcessBuilder builder =
        new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", script.toString());
    builder.directory(folder.toFile());
    builder.environment().put("GITHUB_ACTION_PATH", folder + "/rockpool/scan");
    for (String variable : step.at("env").keys()) {
      builder.environment().put(variable, evaluated(step.at("env", variable)));
    }
    ChildProcess process = ChildProcess.run(builder, folder, "step", Duration.ofMinutes(2));
    return new Outcome(
        process.exitCode(), Files.readString(process.out()), Files.readString(process.err()));
  }
}
