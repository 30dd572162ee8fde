package dev.rockpool.cli.attach;

import static dev.rockpool.cli.CommandLineJar.command;
import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.top.HoldersOfAllKinds;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatusIT {
  @TempDir private Path folder;

  private static String text(TargetJvm target, String... options) throws IOException {
    Outcome outcome = target.rockpool(List.of("status"), options);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(target.err()).isEmptyFile();
    return outcome.out();
  }

  /**
   * Rockpool registers its beans a while after JMX has started, which is later on a busy machine.
   */
  private static void awaitBean(TargetJvm target, String name) throws IOException {
    while (JsonParser.parseString(text(target, "--json"))
        .getAsJsonObject()
        .get(name)
        .isJsonNull()) {
      assertThat(target.answer()).isEqualTo("here");
    }
  }

  @Test
  void tellsThatTheAgentIsNotThere() throws IOException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      assertThat(text(target))
          .startsWith("The agent is not in process " + target.pid() + ".\n")
          .contains("There is no pool in this process.");
    }
  }

  @Test
  void listsJvmsWithoutAPid() throws IOException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Outcome outcome = rockpool("status");
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err())
          .startsWith("rockpool: PID must be given: these JVMs run:\n")
          .containsPattern(
              "\n +\\d+  PID " + target.pid() + "  " + ArenaLoop.class.getName() + "\n")
          .endsWith("Try './rockpool status --help'.\n");
    }
  }

  /** {@code script} runs it on a pseudo terminal. */
  @Test
  void letsSomebodyAtATerminalChooseAJvm() throws IOException, InterruptedException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      ProcessBuilder builder =
          new ProcessBuilder("script", "-qec", String.join(" ", command("status")), "/dev/null");
      builder.environment().put("TERM", "xterm");
      Process status = builder.start();
      String list = readTo("Number: ", status.inputReader());
      assertThat(list).startsWith("Which JVM?");
      Matcher ofTarget = Pattern.compile("(\\d+)  PID " + target.pid() + "  ").matcher(list);
      assertThat(ofTarget.find()).as(list).isTrue();
      status.outputWriter().write(ofTarget.group(1) + "\n");
      status.outputWriter().flush();
      String answer = "The agent is not in process " + target.pid() + ".";
      assertThat(status.inputReader().lines()).anyMatch(each -> each.equals(answer));
      assertThat(status.waitFor()).isZero();
    }
  }

  /** A prompt ends no line; what is typed before it may be lost. */
  private static String readTo(String prompt, Reader reader) throws IOException {
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith(prompt)) {
      int next = reader.read();
      assertThat(next).as("no prompt behind %s", read).isNotEqualTo(-1);
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void showsRewrittenClassesAndThePool() throws IOException {
    try (TargetJvm target =
        TargetJvm.loop(folder, "-Ddivides=true", "--enable-native-access=ALL-UNNAMED")
            .attach("verbose=off")) {
      awaitBean(target, "agent");
      awaitBean(target, "pool");
      assertThat(text(target))
          .startsWith("Agent: arenas=on,linker=on,direct=off,record=off,check=off,verbose=off\n")
          .contains("Classes rewritten: 1\n  dev.rockpool.cli.attach.ArenaLoop\n")
          .containsPattern("Pool: ON, 8 blocks of 512 bytes .* threads with blocks: 1;")
          .containsPattern("arenas closed +[1-9][\\d,]*\n")
          .containsPattern("blocks allocated +[1-9][\\d,]* +\\d+\\.\\d % of arenas\n")
          .containsPattern("allocations by the JDK +0\n");
    }
  }

  @Test
  void theLimitIsShownAndChangedByItsOwnCommand() throws IOException {
    try (TargetJvm target =
        TargetJvm.loop(folder, "-javaagent:" + Installation.agentJar() + "=limit=64m")) {
      awaitBean(target, "agent");
      Outcome outcome = target.rockpool(List.of("limit"), "100m");
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out()).isEqualTo("The limit is 104,857,600 bytes; it was 67,108,864.\n");
      assertThat(text(target)).contains(" of 104,857,600 bytes in use");
      assertThat(target.rockpool(List.of("limit"), "much").err())
          .startsWith("rockpool: Agent option limit must be ");
      assertThat(target.rockpool(List.of("detach")).exitCode()).isZero();
      target.attach("limit=64m");
      awaitBean(target, "agent");
      assertThat(text(target)).contains(" of 67,108,864 bytes in use");
    }
    try (TargetJvm target = TargetJvm.loop(folder)) {
      assertThat(target.rockpool(List.of("limit"), "100m").err())
          .startsWith(
              "rockpool: Process " + target.pid() + " has no limit to change: it has no agent");
    }
  }

  @Test
  void showsWhatWatchesTheProcess() throws IOException {
    Path evidence = folder.resolve("evidence.txt");
    try (TargetJvm target =
        TargetJvm.loop(
            folder,
            "-javaagent:%s=limit=64m,limit.process=1g,evidence=%s"
                .formatted(Installation.agentJar(), evidence))) {
      awaitBean(target, "agent");
      assertThat(text(target))
          .containsPattern("Bound of the process: 1,073,741,824 bytes; [1-9][\\d,]* are resident")
          .contains("Evidence goes to " + evidence + "\n");
    }
  }

  @Test
  void showsTheLinesThatHoldMost() throws IOException {
    String agent = "-javaagent:" + Installation.agentJar() + "=count";
    try (TargetJvm target = TargetJvm.start(folder, "ready", HoldersOfAllKinds.class, agent)) {
      assertThat(text(target))
          .containsPattern("counted: [\\d,]+ bytes in use, highest [\\d,]+\n.*shared 3,072")
          .containsPattern("Most is held by:\n +[\\d,]+  direct .*HoldersOfAllKinds.*\n")
          .containsPattern("  3,072  shared .*HoldersOfAllKinds\\.\\w+:\\d+\n");

      Outcome outcome = target.rockpool(List.of("status"), "--json");
      JsonObject json = JsonParser.parseString(outcome.out()).getAsJsonObject();
      assertThat(json.getAsJsonObject("agent").getAsJsonObject("largestSites").keySet())
          .anyMatch(site -> site.matches("automatic .*HoldersOfAllKinds\\.\\w+:\\d+"));
    }
  }

  @Test
  void tellsWhyThePoolIsOff() throws IOException {
    try (TargetJvm target =
        TargetJvm.loop(folder, "-Drockpool.block.size=0", "-Drockpool.blok.size=1k")
            .attach("verbose=off")) {
      awaitBean(target, "pool");
      assertThat(text(target))
          .contains(
              "System properties:\n",
              "  rockpool.block.size=0\n",
              "  rockpool.blok.size=1k (unknown, and without effect)\n")
          .contains("Pool: OFF (the block size or the number of blocks is 0), 0 blocks of 0 bytes");
    }
  }

  @Test
  void beansOfTheProgramAreNotAsked() throws IOException {
    try (TargetJvm target = TargetJvm.start(folder, "ready", OddBean.class)) {
      assertThat(text(target)).containsPattern("\ndirect +\\d").doesNotContain("odd");
    }
  }

  /** C1 controls are one byte in some charsets, and JSON does not escape them by itself. */
  @Test
  void valuesOfTheProcessDoNotSteerTheTerminal() throws IOException {
    String value = "\u001b[31m\u009b1m\u202e";
    try (TargetJvm target = TargetJvm.perLine(folder, "-Drockpool.odd=" + value)) {
      assertThat(text(target)).contains("rockpool.odd=?[31m?1m? (unknown");

      Outcome outcome = target.rockpool(List.of("status", "--json"));
      assertThat(outcome.out()).doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\n]]");
      JsonObject json = JsonParser.parseString(outcome.out()).getAsJsonObject();
      assertThat(json.getAsJsonObject("properties").get("rockpool.odd").getAsString())
          .isEqualTo(value);
    }
  }

  @Test
  void tellsWhyClassesAreSkipped() throws IOException {
    try (TargetJvm target = TargetJvm.loop(folder).attach("exclude=*Loop")) {
      awaitBean(target, "agent");
      assertThat(text(target))
          .contains(
              "Classes rewritten: 0\n",
              "Classes skipped, excluded by options: 1\n  dev.rockpool.cli.attach.ArenaLoop\n");

      Outcome outcome = target.rockpool(List.of("status", "--json"));
      JsonObject json = JsonParser.parseString(outcome.out()).getAsJsonObject();
      assertThat(json.get("pid").getAsString()).isEqualTo(target.pid());
      assertThat(json.get("agentOptions").getAsString()).contains("exclude=*Loop");
      JsonObject agent = json.getAsJsonObject("agent");
      assertThat(agent.getAsJsonObject("skippedClasses").get("excluded by options").getAsInt())
          .isEqualTo(1);
      assertThat(agent.getAsJsonObject("skippedNames").get("excluded by options"))
          .hasToString("[\"dev.rockpool.cli.attach.ArenaLoop\"]");
      assertThat(json.get("pool").isJsonNull()).isTrue();
      assertThat(json.getAsJsonArray("directMemory")).isNotEmpty();
    }
  }
}
