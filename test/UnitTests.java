import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes in this JVM, one after another. Arguments: a file, to which a line is added as
 * each class ends, then the classes. Those that passed by the file's lines do not run again.
 */
final class UnitTests implements TestExecutionListener {
  private int passed;
  private int failed;

  /** How many tests, or whole classes, were skipped for a reason. */
  private final Map<String, Integer> skipped = new TreeMap<>();

  private UnitTests() {}

  public static void main(String... arguments) throws IOException {
    Path results = Path.of(arguments[0]);
    List<String> before = Files.readAllLines(results);
    Launcher launcher = LauncherFactory.create();
    for (String type : List.of(arguments).subList(1, arguments.length)) {
      if (before.stream().noneMatch(line -> line.matches(type + ": \\d+ passed, 0 failed.*"))) {
        String line = type + ": " + new UnitTests().run(launcher, type);
        System.out.println(line);
        Files.writeString(results, line + "\n", StandardOpenOption.APPEND);
      }
    }
    System.exit(0); // whatever threads are left
  }

  private String run(Launcher launcher, String type) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(type))
            .configurationParameter("jqwik.reporting.onlyfailures", "true")
            .build();
    long start = System.nanoTime();
    launcher.execute(request, this);
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    return "%d passed, %d failed, skipped %s, %d s".formatted(passed, failed, skipped, seconds);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    skipped.merge(reason, 1, Integer::sum);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
      case ABORTED -> executionSkipped(test, result.getThrowable().orElseThrow().getMessage());
      case FAILED -> {
        failed++;
        System.out.println("failed: " + test.getUniqueId());
        result.getThrowable().orElseThrow().printStackTrace(System.out);
      }
    }
  }
}
