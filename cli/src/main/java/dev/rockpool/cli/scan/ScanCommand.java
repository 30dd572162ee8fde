package dev.rockpool.cli.scan;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Converters;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonOption;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.RunningJvm;
import dev.rockpool.scan.Baseline;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Condition;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "scan",
    abbreviateSynopsis = true,
    header = "Find where jars create arenas, and what becomes of them.",
    description = {
      "",
      "Reads class files, runs none. For each place that creates an arena it says whether the agent"
          + " pools the arena, whether try-with-resources closes it, whether it escapes, and how"
          + " many bytes it is asked for; docs/scan.md explains the columns.",
      "",
    },
    resourceBundle = "dev.rockpool.cli.scan.ScanCommand$ConditionHelp",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it worked",
      "1:there was nothing to scan, or something could not be read",
      "2:the command line makes no sense",
      "3:a place meets a condition of --fail-on",
    })
public final class ScanCommand implements Callable<Integer> {
  private static final int FAILED = 3;

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = {
        "A jar, jmod or class file, a folder of classes or jars, a class path, or @FILE with one of"
            + " these on each line.",
      })
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--pid",
      paramLabel = "PID",
      converter = Converters.Pid.class,
      description = {
        "Scan the class path and the module path of a running JVM, too; 'jps -l' lists them."
      })
  private @Nullable Long pid;

  @Option(names = "--jdk", description = "Scan the modules of the JDK that runs this, too.")
  private boolean jdk;

  @Option(names = "--sites", description = "List each place, with file and line.")
  private boolean sites;

  @Option(
      names = "--fail-on",
      paramLabel = "CONDITION",
      split = ",",
      completionCandidates = ConditionLabels.class,
      descriptionKey = ConditionHelp.KEY)
  private Set<Condition> failOn = Set.of();

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "Don't count the places in FILE as failures.")
  private @Nullable Path baseline;

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description =
          "Write all places that meet a condition to FILE; now none of them is a failure.")
  private @Nullable Path writeBaseline;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write a line for each place to FILE, as CSV, too.")
  private @Nullable Path csv;

  @Option(
      names = "--sarif",
      paramLabel = "FILE",
      description = "Write the places that meet a condition to FILE, as SARIF 2.1.0, too.")
  private @Nullable Path sarif;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with all that was found to FILE, too.")
  private @Nullable Path html;

  @Override
  public Integer call() {
    Baseline known = baseline == null ? Baseline.EMPTY : read(baseline);
    OutputFile jsonFile = json.file();
    OutputFile csvFile = OutputFile.checked(csv, "CSV");
    OutputFile sarifFile = OutputFile.checked(sarif, "SARIF");
    OutputFile page = OutputFile.checked(html, "HTML");
    OutputFile newBaseline = OutputFile.checked(writeBaseline, "text");
    Scan scan = scan();
    ScanReport report = ScanReport.of(scan);
    if (writeBaseline != null) {
      known = Baseline.of(scan);
    }
    Verdict verdict = new Verdict(scan, failOn, known);
    System.out.print(report.text(verdict, sites));
    jsonFile.writeJson(ScanJson.of(scan, verdict.sites()));
    csvFile.write(verdict.csv());
    sarifFile.write(verdict.sarif(Installation.version()));
    page.write(report.page(Installation.command("scan") + " " + named()).html());
    newBaseline.write(known.text());
    tellOfBaseline(scan, verdict);
    if (scan.classes() == 0) {
      throw new CommandFailure(
          "There must be something to scan: no class file was found in " + named());
    }
    return !verdict.failures().isEmpty() ? FAILED : scan.isComplete() ? 0 : 1;
  }

  /** Success by a baseline must not look like success without. */
  private void tellOfBaseline(Scan scan, Verdict verdict) {
    if (writeBaseline != null) {
      System.out.println("\nAccepted all places that there are now: wrote " + writeBaseline);
    } else if (baseline != null) {
      int all = new Verdict(scan, failOn, Baseline.EMPTY).failures().size();
      System.out.println(
          "\nMeet --fail-on, and are accepted by the baseline: "
              + (all - verdict.failures().size()));
    }
  }

  private static Baseline read(Path file) {
    if (!Files.exists(file)) {
      throw new CommandFailure(
          "--baseline FILE must exist: there is no " + file + "; --write-baseline writes one");
    }
    try {
      return Baseline.parse(Files.readString(file));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          "--baseline FILE must be one that --write-baseline wrote: %s: %s"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** The paths as on the command line. */
  private String named() {
    String path = (jdk ? "--jdk " : "") + String.join(" ", paths);
    return (pid == null ? path : "--pid " + pid + " " + path).strip();
  }

  private Scan scan() {
    Misuse.unless(
        !paths.isEmpty() || pid != null || jdk,
        "Missing required parameter: 'PATH', or else --pid or --jdk");
    ClassPath classPath;
    try {
      classPath = new ClassPath(paths);
    } catch (IllegalArgumentException e) {
      throw new Misuse(String.valueOf(e.getMessage()));
    }
    if (pid != null) {
      classPath.addAll(new RunningJvm(pid).classPath());
    }
    if (jdk) {
      classPath.addJdk();
    }
    try (Progress progress = Progress.of(classPath.size())) {
      return Scan.of(classPath, progress::begin);
    }
  }

  /** Names of all conditions, for shells that complete words. */
  static final class ConditionLabels implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Condition.values()).map(Condition::label).iterator();
    }
  }

  /** Text of the help about {@code --fail-on}, from the table of conditions. Picocli loads it. */
  public static final class ConditionHelp extends ListResourceBundle {
    static final String KEY = "fail-on";

    @Override
    protected Object[][] getContents() {
      String conditions =
          Arrays.stream(Condition.values())
              .map(condition -> "%n" + condition.label() + ": " + condition.description())
              .collect(Collectors.joining());
      return new Object[][] {{KEY, "Exit with code 3 if a place meets a condition:" + conditions}};
    }
  }
}
