package dev.rockpool.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The soak in JVMs of its own, for a few seconds or {@code -Drockpool.soak.minutes}. What it prints
 * is in {@code target/soak-*.txt}.
 */
class SoakIT {
  private static final double SECONDS =
      60 * Double.parseDouble(System.getProperty("rockpool.soak.minutes", "0.1")) / 2;

  private static int run(File out, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(options));
    // The heap is committed at the start, so that whatever else grows shows in the resident set.
    // There are more carriers than processors, mostly, so that they preempt each other.
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Xms256m",
            "-Xmx256m",
            "-XX:+AlwaysPreTouch",
            "-Djdk.virtualThreadScheduler.parallelism=8",
            "-Djdk.virtualThreadScheduler.maxPoolSize=8",
            "-cp",
            System.getProperty("java.class.path"),
            Soak.class.getName(),
            "" + SECONDS));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out).start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    int exitCode = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    return exitCode;
  }

  private static void findsNothing(String carriers, File out, String... options) throws Exception {
    assertThat(run(out, options)).as("exit code, see %s", out).isZero();
    assertThat(out)
        .content()
        .contains("blocks of carriers: " + carriers, "resident MiB")
        .endsWith("No violation.\n");
  }

  @Test
  void findsNothingWithCarriersOutOfReach() throws Exception {
    findsNothing("out of reach", new File("target/soak-out-of-reach.txt"));
  }

  @Test
  void findsNothingWithCarriersInReach() throws Exception {
    findsNothing(
        "in reach",
        new File("target/soak-in-reach.txt"),
        "--add-opens=java.base/java.lang=ALL-UNNAMED");
  }

  @Test
  void failureEndsItAtOnce() throws Exception {
    File out = new File("target/soak-failure.txt");

    assertThat(run(out, "-Drockpool.block.size=0")).isEqualTo(1);
    assertThat(out).content().contains("The shared pool must serve arenas: state=OFF");
  }
}
