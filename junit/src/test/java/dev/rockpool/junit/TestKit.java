package dev.rockpool.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs test classes of {@link Cases}, and prints what became of each test. */
final class TestKit {
  private TestKit() {}

  /**
   * Runs tests side by side.
   *
   * @param arguments the simple names of the classes
   */
  public static void main(String[] arguments) {
    DiscoverySelector[] classes =
        Arrays.stream(arguments)
            .map(name -> selectClass(Cases.class.getName() + "$" + name))
            .toArray(DiscoverySelector[]::new);
    EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
        .selectors(classes)
        .execute()
        .allEvents()
        .stream()
        .forEach(TestKit::print);
  }

  private static void print(Event event) {
    String what =
        switch (event.getType()) {
          case SKIPPED -> "skipped: " + event.getRequiredPayload(String.class);
          case FINISHED -> result(event.getRequiredPayload(TestExecutionResult.class));
          default -> "";
        };
    if (!what.isEmpty() && (!event.getTestDescriptor().isContainer() || !what.equals("passed"))) {
      System.out.println(
          event.getTestDescriptor().getDisplayName()
              + " "
              + what.lines().reduce((all, line) -> all + "|" + line.strip()).orElseThrow());
    }
  }

  private static String result(TestExecutionResult result) {
    return result.getThrowable().map(thrown -> "failed: " + thrown.getMessage()).orElse("passed");
  }
}
