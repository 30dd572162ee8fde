package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Merge.Note;
import dev.rockpool.cli.report.recording.Merge.Note.Kind;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonOption;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "report",
    header = "Show what recordings say about a program's arenas.",
    description = {
      "",
      "Merges recordings of JDK Flight Recorder that were made with the agent, of any number of"
          + " JVMs, into one page: where the process's memory is, who leaks native memory, and what"
          + " pooling can gain. docs/report.md explains the columns.",
      "",
      "To measure what the agent saves at most, two JVMs without and two with the agent open arenas"
          + " on this machine, for some two seconds. To measure what it does save in a program, use"
          + " 'rockpool demo -- COMMAND'.",
      "",
      "With --compare: whether the second of two recordings is better, worse or the same, and what"
          + " is new; then the sites of both. Starts no JVMs.",
      "",
      "Files of the agent's option evidence are read, too: what processes held before they were"
          + " killed. They come alone, without recordings.",
      "",
      "A file that can't be used is named and skipped; a truncated one counts up to its last"
          + " complete chunk. The exit code is then 1. It is also 1 if the JVMs failed to measure.",
      "",
    })
public final class ReportCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Recordings, .jfr files; or evidence.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "report.html",
      description = "Write the page to FILE; otherwise to ${DEFAULT-VALUE}.")
  private Path output = Path.of("report.html");

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--folded",
      paramLabel = "FILE",
      description = "Write live bytes by stack to FILE, too, folded as flame graph tools read it.")
  private @Nullable Path folded;

  @Option(names = "--no-calibration", description = "Start no JVMs: measure nothing.")
  private boolean uncalibrated;

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "Measure on the JDK in folder HOME; otherwise on the one this runs on.")
  private @Nullable Path jdk;

  @Option(names = "--compare", description = "Compare two recordings: a, then b.")
  private boolean comparing;

  @Override
  public Integer call() {
    Path java = java();
    OutputFile page = OutputFile.checked(output, "HTML");
    OutputFile figures = json.file();
    OutputFile stacks = OutputFile.checked(folded, "folded stacks");
    if (files.stream().anyMatch(EvidenceReport::isEvidence)) {
      return reportEvidence(page);
    }
    if (comparing) {
      Merge a = merge(files.subList(0, 1));
      Merge b = merge(files.subList(1, 2));
      Compared compared = Compared.of(a, b);
      show(compared.page(), page);
      figures.writeJson(compared.json());
      System.out.println("\nThe page: " + output);
      return isWhole(a) && isWhole(b) ? 0 : 1;
    }
    Merge merge = merge(files);
    Report report = measured(merge, java);
    show(report.page(), page);
    figures.writeJson(ReportJson.of(report));
    stacks.write(report.folded());
    System.out.println("\nThe page: " + output);
    return isWhole(merge) && (uncalibrated || report.unmeasured().isEmpty()) ? 0 : 1;
  }

  private int reportEvidence(OutputFile page) {
    Misuse.unless(
        files.stream().allMatch(EvidenceReport::isEvidence),
        "Evidence must come without recordings: give one kind of files");
    Misuse.unless(
        !comparing && !json.isGiven() && folded == null,
        "--compare, --json and --folded are for recordings: evidence is JSON, a line for each"
            + " entry");
    EvidenceReport report = EvidenceReport.of(files);
    show(report.page(), page);
    System.out.println("\nThe page: " + output);
    return report.damaged() == 0 ? 0 : 1;
  }

  private static void show(Page page, OutputFile file) {
    page.print();
    file.write(page.html());
  }

  private static boolean isWhole(Merge merge) {
    return merge.notes().equals(merge.notes(Kind.REPEATED));
  }

  private Path java() {
    Misuse.unless(
        !comparing || files.size() == 2,
        "--compare needs two recordings, a and b: there is "
            + Numbers.counted(files.size(), "file"));
    Misuse.unless(!comparing || folded == null, "--folded is of one report: leave out --compare");
    if (jdk == null) {
      return Installation.java();
    }
    Misuse.unless(!comparing, "--jdk is for the calibration: leave out --compare");
    Misuse.unless(!uncalibrated, "--jdk is for the calibration: leave out --no-calibration");
    Path java = Installation.java(jdk);
    Misuse.unless(Files.isExecutable(java), "--jdk must name a JDK's folder: there is no " + java);
    return java;
  }

  /** Measures on the JDK of the program, or on one that somebody named: others save otherwise. */
  private Report measured(Merge merge, Path java) {
    Report report = Report.of(merge, "");
    if (Gain.poolable(report.all()) == 0) {
      return report;
    }
    if (uncalibrated) {
      return Report.of(merge, "--no-calibration was given");
    }
    String others =
        merge.sources().stream()
            .flatMap(source -> Stream.ofNullable(source.facts().get("jdk")))
            .filter(
                recorded ->
                    Runtime.Version.parse(recorded).feature() != Runtime.version().feature())
            .distinct()
            .collect(Collectors.joining(" and "));
    if (jdk == null && !others.isEmpty()) {
      return Report.of(
          merge, "it was recorded on JDK " + others + ", and this is " + Runtime.version());
    }
    try (Progress progress = Progress.of(1)) {
      progress.begin("measuring what an arena takes here, for some two seconds");
      return report.with(Saving.measure(report, java));
    } catch (CommandFailure failure) {
      System.err.println("rockpool: not measured: " + failure.getMessage());
      return Report.of(merge, "the calibration failed");
    }
  }

  private static Merge merge(List<Path> files) {
    Merge merge = new Merge();
    try (Progress progress = Progress.of(files.size())) {
      for (Path file : files) {
        progress.begin(file.toString());
        merge.add(file);
      }
    }
    for (Note note : merge.notes()) {
      System.err.printf("rockpool: %s %s: %s%n", note.kind().text(), note.file(), note.reason());
    }
    if (merge.sources().isEmpty()) {
      throw new CommandFailure(
          "There must be a recording with arenas: none of "
              + Numbers.counted(files.size(), "file")
              + " could be used, and nothing was written. Record with the agent's option record,"
              + " then give the .jfr files");
    }
    return merge;
  }
}
