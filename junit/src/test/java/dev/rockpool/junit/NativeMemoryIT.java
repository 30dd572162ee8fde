package dev.rockpool.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with the annotation, in JVMs with and without the agent. */
class NativeMemoryIT {
  private static final Path AGENT = Path.of(System.getProperty("rockpool.agent.jar"));
  private static final String COUNTING = "limit=1024g,arenas=off";

  @ParameterizedTest
  @ValueSource(strings = {"oldest", "ours", "newest"})
  void eachKindIsJudgedInEachVersionOfJUnit(String junit) throws IOException {
    Map<String, String> results =
        run(withAgent(COUNTING, junit), "Freeing", "Leaking", "Holding", "OfClass", "Failing");

    assertThat(results)
        .containsEntry("closed()", "passed")
        .containsEntry("dropped()", "passed")
        .containsEntry("global()", "passed")
        .containsEntry("allowed()", "passed")
        .containsEntry("any()", "passed")
        .containsEntry("withinBesideWhatWasThere()", "passed")
        .containsEntry("byMethod()", "passed")
        .containsEntry(
            "confined()",
            "failed: A test must leave at most 0 bytes of native memory unfreed,"
                + " @NativeMemory(leaks = \"none\"): left 1000 bytes. They were taken by:"
                + "|dev.rockpool.junit.Cases$Leaking.confined:"
                + results.get("line")
                + " (confined, 1000 bytes)"
                + "|Close arenas and free buffers before the test ends, or allow what a library"
                + " keeps.");
    for (String kind : List.of("shared", "automatic", "direct", "unsafe")) {
      assertThat(results.get(kind + "()"))
          .matches(".*left 10\\d\\d bytes.*Leaking\\." + kind + ":\\d+ \\(" + kind + ", 10.*");
    }
    assertThat(results.get("malloc()"))
        .matches(".*left 20000 bytes.*Leaking\\.malloc:\\d+ \\(malloc, 20000 bytes\\).*");
    assertThat(results.get("several()"))
        .matches(
            ".*at most 2048 bytes.*left 3315 bytes[^|]*"
                + "\\|[^|]*several:\\d+ \\(shared, 3000 bytes\\)"
                + "\\|[^|]*shared, 55 bytes\\)(\\|[^|]*shared, 5[432] bytes\\)){3}\\|and 2 more.*");
    assertThat(results.get("tooMuch()"))
        .matches(
            "failed: A test must hold at most 1048576 bytes of native memory at a time,"
                + " @NativeMemory\\(most = \"1m\"\\): held 1048577 bytes\\. When there were too"
                + " many, they were held by:"
                + "\\|dev\\.rockpool\\.junit\\.Cases\\$Holding\\.large:\\d+ \\(confined, 1048577"
                + " bytes\\)\\|Free memory sooner, or allow more\\.");
    assertThat(results.get("inAll()"))
        .matches(
            ".*held 2100 bytes.*\\(global, 800 bytes\\)"
                + ".*\\(shared, 700 bytes\\).*\\(confined, 600 bytes\\).*");
    assertThat(results.get("both()")).contains("held 1000 bytes", "left 1000 bytes");
    assertThat(results.get("byClass()")).contains("OfClass.byClass:");
    assertThat(results.get("byClassAround()")).contains("Inner.byClassAround:");
    assertThat(results)
        .containsEntry("byItself()", "failed: mine")
        .containsEntry(
            "badLeaks()",
            "failed: @NativeMemory's leaks must be none, any, or a number of bytes, perhaps with"
                + " the suffix k, m or g: \"little\"")
        .containsEntry(
            "badMost()",
            "failed: @NativeMemory's most must be any, or a number of bytes, perhaps with the"
                + " suffix k, m or g: \"none\"");
  }

  @Test
  void garbageOfAnEarlierTestHidesNoLeak() throws IOException {
    Map<String, String> results = run(withAgent(COUNTING, "ours"), "Garbage");

    assertThat(results).containsEntry("left()", "passed");
    assertThat(results.get("kept()")).contains("(direct, 1048");
  }

  @ParameterizedTest
  @ValueSource(strings = {"oldest", "ours", "newest"})
  void noTestRunsBesideOneWithTheAnnotation(String junit) throws IOException {
    Map<String, String> results = run(withAgent(COUNTING, junit), "Parallel", "BesideParallel");

    assertThat(results)
        .isEqualTo(
            Map.of(
                "first()", "passed",
                "second()", "passed",
                "third()", "passed",
                "fourth()", "passed"));
  }

  @Test
  void withoutTheAgentTestsAreSkippedAndTheReasonSaysWhatToAdd() throws IOException {
    Map<String, String> results = run(plain("ours"), "Freeing", "OfClass");

    String reason =
        "skipped: Native memory is counted by Rockpool's agent, which is not in this JVM: give the"
            + " JVM of the tests -javaagent:PATH/rockpool-agent.jar=limit=1024g,arenas=off. Maven,"
            + " in the configuration of maven-surefire-plugin: <argLine>"
            + "-javaagent:PATH/rockpool-agent.jar=limit=1024g,arenas=off</argLine>. Gradle:"
            + " tasks.test { jvmArgs("
            + "\"-javaagent:PATH/rockpool-agent.jar=limit=1024g,arenas=off\") }";
    assertThat(results)
        .containsOnlyKeys(
            "closed()", "dropped()", "global()", "allowed()", "any()", "Cases$OfClass")
        .allSatisfy((test, result) -> assertThat(result).isEqualTo(reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"arenas=off", "limit=1024g", "limit=1024g,arenas=off,exclude=dev.rockpool.junit.*"})
  void withOptionsThatDoNotCountTestsAreSkipped(String options) throws IOException {
    Map<String, String> results = run(withAgent(options, "ours"), "OfClass");

    assertThat(results).containsOnlyKeys("Cases$OfClass");
    assertThat(results.get("Cases$OfClass"))
        .startsWith("skipped: Native memory is counted by Rockpool's agent, whose options are ")
        .contains("rockpool-agent.jar=limit=1024g,arenas=off");
  }

  private static Jvm<?> withAgent(String options, String junit) throws IOException {
    return plain(junit).with("-javaagent:" + AGENT.toAbsolutePath() + "=" + options);
  }

  /** Without the agent, and with the JUnit of a folder of {@code target}. */
  private static Jvm<?> plain(String junit) throws IOException {
    Stream<Path> ours =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(path -> !path.getFileName().toString().matches("(junit-|jqwik).*\\.jar"));
    try (Stream<Path> jars = Files.list(Path.of("target/junit-" + junit))) {
      return Jvm.plain()
          .with("--enable-native-access=ALL-UNNAMED", "-Xmx256m")
          .classPath(Stream.concat(ours, jars).map(Path::toAbsolutePath).toArray(Path[]::new));
    }
  }

  /** Returns what the tests printed, and what became of them, by the first word of each line. */
  private static Map<String, String> run(Jvm<?> jvm, String... classes) {
    String[] command =
        Stream.concat(Stream.of(TestKit.class.getName()), Arrays.stream(classes))
            .toArray(String[]::new);
    return jvm.run(command).output().stream()
        .map(line -> line.split(" ", 2))
        .collect(
            Collectors.toMap(
                words -> words[0], words -> words[1], (one, two) -> one + " " + two, TreeMap::new));
  }
}
