package dev.rockpool.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;

/** Starts JVMs. */
final class Commands {
  private Commands() {}

  /** The output of a JVM. */
  record Outcome(int exitCode, String out, String err) {}

  /** Runs {@code ./rockpool ARGS}. */
  static Outcome rockpool(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("-Drockpool.home=" + System.getProperty("rockpool.home"));
    command.addAll(List.of("-jar", System.getProperty("rockpool.cli.jar")));
    command.addAll(List.of(args));
    return java(command);
  }

  /** Runs {@code spark-submit --master local[2] JAR ARGS}, as Spark's script does. */
  static Outcome submit(String... args) throws Exception {
    String job = System.getProperty("fleet.jar");
    List<String> command = new ArrayList<>();
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-cp", classPathOfSpark(), "org.apache.spark.deploy.SparkSubmit"));
    command.addAll(List.of("--master", "local[2]", "--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--class", Main.class.getName(), job));
    command.addAll(List.of(args));
    return java(command);
  }

  /** Without what the job's jar has to bring. */
  private static String classPathOfSpark() {
    String[] entries = System.getProperty("java.class.path").split(":");
    List<String> spark = new ArrayList<>();
    for (String entry : entries) {
      if (!entry.matches(".*/(rockpool-\\w+\\.jar|classes|picocli-[^/]*|asm-[^/]*|gson-[^/]*)/?")) {
        spark.add(entry);
      }
    }
    assertThat(spark).hasSizeBetween(100, entries.length - 5);
    return String.join(":", spark);
  }

  /** Records {@link Program} under the agent. */
  static void record(Path recording, String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("-javaagent:" + System.getProperty("rockpool.agent.jar") + "=record=" + recording);
    command.addAll(List.of("-cp", Path.of("target", "test-classes").toString()));
    command.add(Program.class.getName());
    command.addAll(List.of(args));
    Outcome outcome = java(command);
    assertThat(outcome.exitCode).as(outcome.err).isZero();
  }

  private static Outcome java(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    Path out = Files.createTempFile("fleet-", ".out");
    Path err = Files.createTempFile("fleet-", ".err");
    try {
      int exitCode =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start()
              .waitFor();
      return new Outcome(exitCode, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
