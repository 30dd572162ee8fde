import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tests the tests by the faults of {@code test/faults.txt}, which describes their form.
 *
 * <p>Without arguments, only checks that each fault still fits the code. With the folder for
 * Maven's output, and perhaps names of faults, tries them: changes the code in the current folder,
 * which is a copy (see {@code test/faults}), runs the fault's test, and takes the change back. Runs
 * on Java 17, as Maven does.
 */
final class Faults {
  private static final Path LIST = Path.of("test/faults.txt");
  private static final Pattern HEAD = Pattern.compile("(.+)\nfile (.+)\ntest (\\S+) (\\S+)\n-.*");
  /** A failure, or an exception that passes one on from another thread. */
  private static final Pattern ASSERTION =
      Pattern.compile("<failure [^>]*type=\"[^\"]*Error\"|<error [^>]*Assertion(Failed)?Error");

  /** Surefire's words for a JVM that has ended in the midst of a test. */
  private static final String CRASH = "Crashed tests:";

  private static final long MINUTES = 10;
  private static final int UNENDED = -1;

  private Faults() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Fault> all = read();
    List<String> problems = new ArrayList<>();
    for (Fault fault : all) {
      try {
        fault.place();
        fault.requireTest();
      } catch (IllegalStateException | NoSuchFileException outdated) {
        problems.add(outdated.getMessage());
      }
    }
    if (problems.isEmpty() && arguments.length > 0) {
      Set<String> names = new TreeSet<>(List.of(arguments).subList(1, arguments.length));
      boolean areAll = names.isEmpty();
      List<Fault> chosen =
          all.stream().filter(fault -> areAll || names.remove(fault.name)).toList();
      names.forEach(name -> problems.add("There is no fault of this name: " + name));
      if (problems.isEmpty()) {
        problems.addAll(tryAll(Path.of(arguments[0]), chosen));
      }
    }
    problems.forEach(System.err::println);
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  private static List<Fault> read() throws IOException {
    List<Fault> faults = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (String entry : Files.readString(LIST).split("\n\n+")) {
      List<String> lines = entry.lines().filter(line -> !line.startsWith("#")).toList();
      if (lines.isEmpty()) {
        continue;
      }
      Matcher head = HEAD.matcher(String.join("\n", lines));
      if (!head.lookingAt() || !names.add(head.group(1))) {
        throw new IllegalStateException(
            "A fault must have a name of its own, a file, a test, and lines as "
                + LIST
                + " says: "
                + entry);
      }
      faults.add(
          new Fault(
              head.group(1),
              head.group(2),
              head.group(3),
              head.group(4),
              texts(lines, '-'),
              texts(lines, '+')));
    }
    return faults;
  }

  private static List<String> texts(List<String> lines, char sign) {
    return lines.stream()
        .filter(line -> line.charAt(0) == sign)
        .map(line -> line.substring(1).strip())
        .toList();
  }

  /** Returns what is wrong, a line for each fault that was not seen. */
  private static List<String> tryAll(Path logs, List<Fault> faults)
      throws IOException, InterruptedException {
    if (maven(logs.resolve("without.log"), faults) != 0) {
      return List.of("The tests must pass without a fault: see " + logs.resolve("without.log"));
    }
    List<String> problems = new ArrayList<>();
    for (Fault fault : faults) {
      Path log = logs.resolve(fault.name + ".log");
      List<String> code = Files.readAllLines(Path.of(fault.file));
      Files.write(Path.of(fault.file), fault.changed(code));
      fault.deleteReports();
      int exitCode = maven(log, List.of(fault));
      Files.write(Path.of(fault.file), code);
      String outcome =
          exitCode == UNENDED
              ? "no end in more than " + MINUTES + " minutes"
              : outcome(fault.reports(), Files.readString(log));
      System.out.println(fault.name + ": " + outcome + " by " + fault.test);
      if (!outcome.startsWith("seen")) {
        problems.add(fault.name + ": " + outcome + ": see " + log);
      }
    }
    System.out.println(faults.size() - problems.size() + " of " + faults.size() + " faults seen");
    return problems;
  }

  /**
   * Returns "seen" if the test has failed by an assertion, whatever else has failed, or if malloc
   * has ended the JVM, as it does when memory is freed twice. An exception may come from the test's
   * own harness, which cannot know what the fault is.
   */
  private static String outcome(List<String> reports, String log) {
    if (reports.isEmpty()) {
      return log.contains(CRASH) ? "seen as a crash" : "not compiled";
    }
    String all = String.join("\n", reports);
    if (ASSERTION.matcher(all).find()) {
      return "seen";
    }
    return all.contains("<error") || all.contains("<failure") ? "no assertion failed" : "not seen";
  }

  /** Compiles what changed, and runs the tests; returns the exit code, or {@link #UNENDED}. */
  private static int maven(Path log, List<Fault> faults) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "verify", "-am", "-pl"));
    command.add(joined(faults.stream().map(fault -> fault.module)));
    command.add("-Dchecks.phase=none");
    command.add("-Dmaven.compiler.useIncrementalCompilation=false"); // only the changed file
    for (boolean isIT : new boolean[] {false, true}) {
      String tests =
          joined(faults.stream().filter(fault -> fault.isIT() == isIT).map(fault -> fault.test));
      if (!tests.isEmpty()) {
        command.add((isIT ? "-Dit.test=" : "-Dtest=") + tests);
      }
    }
    Process maven =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!maven.waitFor(MINUTES + faults.size(), TimeUnit.MINUTES)) {
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
      return UNENDED;
    }
    return maven.exitValue();
  }

  private static String joined(Stream<String> texts) {
    return texts.distinct().collect(Collectors.joining(","));
  }

  /** A part of a line, or some lines, without the blanks around them; and what is put there. */
  private record Fault(
      String name,
      String file,
      String module,
      String test,
      List<String> before,
      List<String> after) {
    /** Returns the index of the first line. */
    int place() throws IOException {
      List<String> code = Files.readAllLines(Path.of(file)).stream().map(String::strip).toList();
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i + before.size() <= code.size(); i++) {
        if (before.size() > 1 && code.subList(i, i + before.size()).equals(before)) {
          places.add(i);
        }
        String line = code.get(i);
        for (int at = isPart() ? line.indexOf(part()) : -1;
            at >= 0;
            at = line.indexOf(part(), at + 1)) {
          places.add(i);
        }
      }
      if (places.size() != 1) {
        throw new IllegalStateException(
            "The lines of a fault must stand in its file once: %s: %d times in %s. The code has changed: renew the fault in %s, and run test/faults %s"
                .formatted(name, places.size(), file, LIST, name));
      }
      return places.get(0);
    }

    private boolean isPart() {
      return before.size() == 1;
    }

    private String part() {
      return before.get(0);
    }

    List<String> changed(List<String> code) throws IOException {
      int place = place();
      List<String> changed = new ArrayList<>(code.subList(0, place));
      String instead = String.join("\n", after);
      changed.add(isPart() ? code.get(place).replace(part(), instead) : instead);
      changed.addAll(code.subList(place + before.size(), code.size()));
      return changed;
    }

    boolean isIT() {
      return testClass().endsWith("IT");
    }

    String testClass() {
      return test.replaceAll("#.*", "");
    }

    /** Returns the reports on the test that this module's last run wrote. */
    List<String> reports() throws IOException {
      List<String> reports = new ArrayList<>();
      for (Path report : reportFiles()) {
        String text = Files.readString(report);
        reports.add(isMethod() ? String.join("\n", casesOf(text)) : text);
      }
      return reports;
    }

    void deleteReports() throws IOException {
      for (Path report : reportFiles()) {
        Files.delete(report);
      }
    }

    private List<Path> reportFiles() throws IOException {
      Path target = Path.of(module, "target");
      if (!Files.exists(target)) {
        return List.of();
      }
      Pattern name = Pattern.compile("TEST-(.*\\.)?" + testClass() + "\\.xml");
      try (Stream<Path> files = Files.walk(target, 2)) {
        return files
            .filter(path -> name.matcher(path.getFileName().toString()).matches())
            .toList();
      }
    }

    private boolean isMethod() {
      return test.contains("#");
    }

    /** Returns the elements of the method, each with what failed; its name may have parameters. */
    private List<String> casesOf(String report) {
      String method = test.replaceAll(".*#", "");
      return Stream.of(report.split("(?=<testcase )"))
          .filter(part -> part.matches("(?s)<testcase name=\"" + method + "\\b.*"))
          .toList();
    }

    void requireTest() throws IOException {
      Path end = Path.of(testClass() + ".java");
      try (Stream<Path> files = Files.walk(Path.of(module, "src"))) {
        if (files.noneMatch(path -> path.endsWith(end))) {
          throw new IllegalStateException(
              "The test of a fault must be in its module: %s: no %s in %s"
                  .formatted(name, end, module));
        }
      }
    }
  }
}
