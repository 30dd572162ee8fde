package dev.rockpool.cli.compare;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
  private static final String JAVA = Installation.java().toString();

  @TempDir private Path folder;

  private static Outcome demo(List<String> options, String... command) throws IOException {
    List<String> args = new ArrayList<>(options);
    args.addFirst("demo");
    args.add("--");
    args.addAll(List.of(command));
    return rockpool(args.toArray(String[]::new));
  }

  private static String[] smallProgram(String what) {
    String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
    return new String[] {
      JAVA, "-Drockpool.start.after=0", "-cp", classes, SmallProgram.class.getName(), what
    };
  }

  private static JsonObject json(Path file) throws IOException {
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static void assertRatio(JsonObject comparison) {
    double without = comparison.getAsJsonObject("without").get("median").getAsDouble();
    double with = comparison.getAsJsonObject("with").get("median").getAsDouble();
    assertThat(comparison.get("ratio").getAsDouble()).isEqualTo(without / with);
  }

  @Test
  void showsOurCalls() throws IOException {
    Path file = folder.resolve("demo.json");
    Outcome outcome = rockpool("demo", "--quick", "--json", file.toString());
    assertThat(outcome.err())
        .contains("[2/14] strlen of short words with the agent: ", "[14/14] getcwd ");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out())
        .contains("strlen ", "clock_gettime ", "open ", "ldiv ", "qsort ", "getcwd ")
        .contains("Results were identical");
    List<JsonObject> calls = new ArrayList<>();
    json(file).getAsJsonArray("comparisons").forEach(call -> calls.add(call.getAsJsonObject()));
    assertThat(calls)
        .hasSize(7)
        .allSatisfy(call -> assertThat(call.get("identical").getAsBoolean()).isTrue())
        .allSatisfy(DemoIT::assertRatio);
  }

  /** Nothing is ever compiled by an interpreter, for which the agent leaves arenas as they are. */
  @Test
  void marksFiguresOfAJvmThatDoesNotCompile() {
    List<String> arguments = new ArrayList<>(Workloads.calls(true).get("strlen of short words"));
    arguments.addFirst("-Xint");
    AgentRoute route = Workloads.route(arguments);
    Comparison comparison =
        Comparison.of("strlen", 1, side -> route.measure("strlen", side, folder));
    ComparisonTable table =
        new ComparisonTable(null, "call", "ns", List.of(comparison), "", Map.of());
    assertThat(table.text().lines())
        .anyMatch(line -> line.startsWith("strlen * "))
        .anyMatch(line -> line.startsWith("* Not compiled yet when measured"));
  }

  @Test
  void showsAProgramThatIsStartedWithJava() throws IOException {
    Path file = folder.resolve("demo.json");
    Outcome outcome =
        demo(List.of("--runs", "2", "--json", file.toString()), smallProgram("greet"));
    assertThat(outcome.err())
        .startsWith("rockpool: the agent goes in as an argument of java")
        .contains("[4/6] with the agent: ", "[6/6] with the agent: ");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out())
        .containsPattern(
            "\\A(Clearly|No clear difference:) [\\d.]+( % (faster|slower)|x as fast) with the"
                + " agent")
        .contains("median of 2", "Standard output was identical in all runs");
    assertThat(json(file).get("arenasClosed").getAsLong()).isEqualTo(1);
    assertThat(json(file).get("arenasSmallEnough").getAsLong()).isEqualTo(1);
    JsonObject comparison = json(file).getAsJsonArray("comparisons").get(0).getAsJsonObject();
    assertRatio(comparison);
    assertThat(comparison.getAsJsonObject("with").getAsJsonArray("byRound")).hasSize(2);
  }

  /** The program prints the class of its arena, so its output tells whether the agent was there. */
  @Test
  void tellsThatTheOutputDiffers() throws IOException {
    Outcome outcome = demo(List.of("--runs", "1"), smallProgram("show-arena"));
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).contains("Standard output DIFFERED with the agent.");
  }

  @Test
  void reachesAProgramThatALauncherStarts() throws IOException {
    String[] java = smallProgram("show-arena");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\"", "launcher"));
    command.addAll(List.of(java));
    Outcome outcome = demo(List.of("--runs", "1"), command.toArray(String[]::new));
    assertThat(outcome.err()).startsWith("rockpool: sh is not java: the agent goes in through");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).contains("Standard output DIFFERED with the agent.");
    assertThat(outcome.out()).contains(" (1 confined arenas closed, ");
  }

  /** A script stands for a JVM that is too old for the agent, which then runs on without it. */
  @Test
  void refusesAProgramOnAnOlderJava() throws IOException {
    Path java = folder.resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        case $1 in -javaagent*)
          echo '[rockpool] needs Java 25 or newer, this is 21.0.5; the program runs on without it' >&2
        esac
        """);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));

    Outcome outcome = demo(List.of(), java.toString(), "-jar", "app.jar");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .contains(
            "rockpool: COMMAND must run on Java 25 or newer: [rockpool] needs Java 25 or newer,"
                + " this is 21.0.5;");
  }

  @Test
  void tellsThatTheProgramFailed() throws IOException {
    Outcome outcome = demo(List.of(), smallProgram("fail"));
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains(
            "rockpool: The command must end with exit code 0: without the agent it ended with 3.",
            "  it did not work out")
        .doesNotContain("\tat ");
  }

  @Test
  void tellsThatTheProgramCannotBeStarted() throws IOException {
    Outcome outcome = demo(List.of(), "/no/such/java", "Main");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("rockpool: Cannot start /no/such/java: ")
        .doesNotContain("\tat ");
  }
}
