package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * {@code ./rockpool bench --soak}: starts the soak in the benchmarks' jar and shows what it prints.
 *
 * @param minutes for each JDK, half of it with the carriers of virtual threads out of reach, half
 *     of it with java.lang open, so that they can be found
 */
record SoakRun(double minutes) {
  private static final String MAIN = "dev.rockpool.bench.soak.Soak";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}([.][0-9]{1,6})?");
  private static final double LEAST = 0.01;
  private static final double MOST = 100_000;

  /** More than there are processors, mostly: then carriers get in each other's way, too. */
  private static final int CARRIERS = 8;

  private static final List<List<String>> FORMS =
      List.of(List.of(), List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));

  /**
   * The soak that a command line asks for.
   *
   * @param minutes the value of {@code --soak}
   * @param others the names of all options that are there, too
   * @throws IllegalArgumentException with the rule that it breaks, if it does
   */
  static SoakRun of(String minutes, List<String> others) {
    double number = NUMBER.matcher(minutes).matches() ? Double.parseDouble(minutes) : 0;
    if (number < LEAST || number > MOST) {
      throw new IllegalArgumentException(
          "--soak must be a number of minutes from 0.01 to 100000: --soak=" + minutes);
    }
    List<String> measuring =
        others.stream().filter(name -> !List.of("--soak", "--jdk").contains(name)).toList();
    if (!measuring.isEmpty()) {
      throw new IllegalArgumentException(
          "--soak measures nothing, so of the other options only --jdk goes with it: "
              + String.join(", ", measuring));
    }
    return new SoakRun(number);
  }

  /**
   * Runs it to its end, or to the first failure.
   *
   * @return the exit code: 0 if no JVM failed
   */
  int run(List<Jvm> jvms, Path jar) {
    for (Jvm jvm : jvms) {
      for (List<String> form : FORMS) {
        int exitCode = ChildProcess.runInView(new ProcessBuilder(command(jvm, jar, form)));
        if (exitCode != 0) {
          return exitCode;
        }
        System.out.println();
      }
    }
    return 0;
  }

  private List<String> command(Jvm jvm, Path jar, List<String> form) {
    List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
    command.addAll(form);
    command.add("--enable-native-access=ALL-UNNAMED");
    // The heap is there from the start, so that whatever else grows shows in the resident set.
    command.addAll(List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
    command.add("-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS);
    command.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS);
    double seconds = minutes * 60 / FORMS.size();
    command.addAll(
        List.of("-cp", jar.toString(), MAIN, String.format(Locale.ROOT, "%.1f", seconds)));
    return command;
  }
}
