package dev.rockpool.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs all jcstress tests in a child JVM, which starts one more for each, and reads its results.
 *
 * <p>Tests come in threes: a model and the real class must never show a forbidden outcome, and the
 * weakened twin must show the one that it is weakened for. Else nobody would know whether the
 * others could fail.
 */
class StressIT {
  private static final String WEAKENED = "Weakened";
  private static final List<String> THREE = List.of("Model", "Real", WEAKENED);

  private static final Pattern CHOSEN =
      Pattern.compile(System.getProperty("rockpool.stress.tests"));
  private static final Path FOLDER = Path.of(System.getProperty("rockpool.stress.folder"));
  private static final Path LOG = FOLDER.resolve("jcstress.log");

  private static int exitCode;
  private static Map<String, List<TestResult>> results;

  @BeforeAll
  static void runAll() throws Exception {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1, "Each test needs two processors at once");
    deleteFolder();
    Files.createDirectories(FOLDER);
    exitCode = runJcstress();
    Collection<TestResult> all = readResults();
    results = all.stream().collect(Collectors.groupingBy(TestResult::getName));
  }

  private static int runJcstress() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("-v", "-t", CHOSEN.pattern()));
    command.addAll(List.of(System.getProperty("rockpool.stress.options").split(" ")));
    Process process =
        new ProcessBuilder(command)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(LOG.toFile())
            .start();
    Thread hook = new Thread(() -> end(process));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      int minutes = Integer.getInteger("rockpool.stress.minutes");
      assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
          .as("ends within %s minutes, see %s", minutes, LOG)
          .isTrue();
      return process.exitValue();
    } finally {
      end(process);
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  private static Collection<TestResult> readResults() throws Exception {
    InProcessCollector collector = new InProcessCollector();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".bin.gz")).toList()) {
        DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
        reader.dump();
        reader.close();
      }
    }
    return collector.getTestResults();
  }

  private static void deleteFolder() throws IOException {
    if (Files.exists(FOLDER)) {
      try (Stream<Path> files = Files.walk(FOLDER)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void jcstressIsContentToo() {
    assertThat(exitCode).as("exit code, see %s", LOG).isZero();
  }

  static Collection<String> tests() {
    return TestList.tests().stream()
        .filter(CHOSEN.asPredicate())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** In the thorough form a test runs in several JVMs, and may show an outcome in one of them. */
  @ParameterizedTest
  @MethodSource("tests")
  void breaksIfAndOnlyIfWeakened(String test) {
    List<TestResult> runs = results.get(test);
    assertThat(runs).as("%s: its results, see %s", test, LOG).isNotEmpty();
    for (TestResult run : runs) {
      assertThat(run.status()).as("%s: how it ended, see %s", test, LOG).isEqualTo(Status.NORMAL);
      assertThat(run.getTotalCount()).as("%s: how often it ran", test).isPositive();
      assertThat(run.grading().failureMessages).as("%s, see %s", test, LOG).isEmpty();
      assertThat(run.grading().isPassed).as("%s: passed, see %s", test, LOG).isTrue();
    }
    assertThat(runs.stream().anyMatch(run -> run.grading().hasInteresting))
        .as("%s: shows the broken outcome, see %s", test, LOG)
        .isEqualTo(isWeakened(test));
  }

  @Test
  void testsComeInThrees() {
    Map<String, List<String>> byHole =
        tests().stream()
            .collect(
                Collectors.groupingBy(
                    test -> test.substring(0, test.lastIndexOf('.')),
                    Collectors.mapping(
                        test -> test.substring(test.lastIndexOf('.') + 1), Collectors.toList())));
    assertThat(byHole).isNotEmpty();
    assertThat(byHole)
        .allSatisfy((hole, three) -> assertThat(three).as(hole).containsExactlyElementsOf(THREE));
  }

  @ParameterizedTest
  @MethodSource("tests")
  void forbidsTheBrokenOutcomeUnlessWeakened(String test) {
    List<Expect> expected = new ArrayList<>();
    for (StateCase outcome : TestList.getInfo(test).cases()) {
      expected.add(outcome.expect());
    }
    expected.add(TestList.getInfo(test).unmatched().expect());
    if (isWeakened(test)) {
      assertThat(expected).contains(Expect.ACCEPTABLE_INTERESTING);
    } else {
      assertThat(expected).contains(Expect.FORBIDDEN).doesNotContain(Expect.ACCEPTABLE_INTERESTING);
    }
  }

  private static boolean isWeakened(String test) {
    return test.endsWith("." + WEAKENED);
  }
}
