package dev.rockpool.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;

/** Starts JVMs. */
final class Commands {
  private Commands() {}

  /** Runs {@code ./rockpool ARGS}. */
  static Exit rockpool(String... args) {
    String home = "-Drockpool.home=" + System.getProperty("rockpool.home");
    return jvm().with(home, "-jar", System.getProperty("rockpool.cli.jar")).run(args);
  }

  /** Runs {@code spark-submit --master local[2] JAR ARGS}, as Spark's script does. */
  static Exit submit(String... args) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", "local[2]"));
    command.addAll(List.of("--conf", "spark.ui.enabled=false", "--class", Main.class.getName()));
    command.add(System.getProperty("fleet.jar"));
    Collections.addAll(command, args);
    return jvm()
        .with(JavaModuleOptions.defaultModuleOptionArray())
        .with("-cp", classPathOfSpark())
        .run(command.toArray(String[]::new));
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
  static void record(Path recording, String... args) {
    List<String> command = new ArrayList<>(List.of(Program.class.getName()));
    Collections.addAll(command, args);
    Exit exit =
        jvm()
            .with("-javaagent:" + System.getProperty("rockpool.agent.jar") + "=record=" + recording)
            .classPath(Path.of("target", "test-classes"))
            .run(command.toArray(String[]::new));
    assertThat(exit.code()).as(exit.toString()).isZero();
  }

  private static Jvm<?> jvm() {
    return Jvm.plain().with("--enable-native-access=ALL-UNNAMED").patientFor(540);
  }
}
