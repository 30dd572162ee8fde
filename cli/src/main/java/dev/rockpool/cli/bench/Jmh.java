package dev.rockpool.cli.bench;

import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * JMH itself, to be started in the benchmarks' jar with one JDK, which all JVMs that it forks have,
 * too.
 *
 * @param jar the jar
 * @param folder the place to start it in: benchmarks under the agent look for it from there
 * @param jvm the JDK
 */
record Jmh(Path jar, Path folder, Jvm jvm) {
  /** Lines that show how far it is, each about one benchmark or fork. */
  private static final Pattern NEWS =
      Pattern.compile("# (Benchmark|Parameters|Run progress): .*| {2}\\S.* ns/op.*|.*<failure>");

  private static final Pattern BENCHMARK = Pattern.compile("(?m)^# Benchmark: ");
  private static final Pattern NAME = Pattern.compile("^(.*)\n(?:# Parameters: (.*))?");
  private static final String NOTHING = "No matching benchmarks";
  private static final Pattern REASON =
      Pattern.compile("(?m)^(?:ERROR: .*|\\S*(?:Exception|Error)\\b.*)$");

  /**
   * The outcome of one start.
   *
   * @param results the objects that JMH wrote with {@code -rf json}
   * @param failures a line for each benchmark that has no result, and its reason
   */
  record Outcome(List<Result> results, List<String> failures) {}

  /**
   * Measures, which may take hours, and shows on standard error how far it is.
   *
   * @param plan what to measure
   * @param folder a place for JMH's results, and for a log of all that it writes
   */
  Outcome measure(Plan plan, Path folder) {
    String name = jvm.fileName() + "-" + plan.mode() + (plan.sweep() ? "-sweep" : "");
    Path file = folder.resolve(name + ".json");
    Path log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>(List.of(jvm.java().toString(), "-jar", jar.toString()));
    command.addAll(plan.arguments());
    command.addAll(List.of("-rf", "json", "-rff", file.toString()));
    try {
      Files.deleteIfExists(file);
      int exitCode = run(command, log);
      String said = Files.readString(log);
      if (exitCode == 0) {
        return new Outcome(read(file, plan), failures(said, plan.mode()));
      }
      return new Outcome(
          List.of(),
          said.contains(NOTHING) ? List.of() : List.of("JMH" + failure(said, plan.mode())));
    } catch (IOException e) {
      throw new CommandFailure("Cannot keep what JMH writes in " + log + ": " + e, e);
    }
  }

  private int run(List<String> command, Path log) throws IOException {
    try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log), true)) {
      return ChildProcess.runLineByLine(
          new ProcessBuilder(command).directory(folder.toFile()),
          line -> {
            writer.println(line);
            if (NEWS.matcher(line).matches()) {
              System.err.println(line);
            }
          });
    }
  }

  private List<Result> read(Path file, Plan plan) throws IOException {
    try {
      return StreamSupport.stream(
              JsonParser.parseString(Files.readString(file)).getAsJsonArray().spliterator(), false)
          .map(result -> Result.of(jvm, plan.mode(), plan.sweep(), result.getAsJsonObject()))
          .toList();
    } catch (JsonParseException | IllegalStateException e) {
      throw new CommandFailure("Cannot read JMH's results " + file + ": " + e.getMessage(), e);
    }
  }

  /** JMH's results leave out a benchmark that failed: only its log has the name. */
  List<String> failures(String log, Mode mode) {
    return BENCHMARK
        .splitAsStream(log)
        .skip(1)
        .filter(part -> !part.contains("\nResult \""))
        .map(
            part -> {
              Matcher name = NAME.matcher(part);
              return (name.find() ? Result.withoutPackage(name.group(1)) : "")
                  + (name.group(2) == null ? "" : " " + name.group(2))
                  + failure(part, mode);
            })
        .toList();
  }

  private String failure(String log, Mode mode) {
    Matcher reason = REASON.matcher(log);
    return (mode == Mode.PLATFORM ? "" : ", " + mode)
        + (" on " + jvm.label() + ": ")
        + (reason.find() ? reason.group() : "no result");
  }
}
