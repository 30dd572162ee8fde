package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Skipped;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool report}. */
@Command(
    name = "report",
    header = "Show what recordings say about a program's arenas.",
    description = {
      "",
      "Merges recordings of JDK Flight Recorder that were made with the agent, of any number of"
          + " JVMs, into one page: how much arenas allocate, which slab size serves them, what the"
          + " pool would save, and which classes it can't serve. docs/report.md says what each"
          + " column means.",
      "",
      "A file that can't be used is named and skipped, and of one that is cut off the chunks before"
          + " that count; the exit code is then 1.",
      "",
    })
public final class ReportCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings: .jfr files.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "report.html",
      description = "Write the page to FILE; otherwise to ${DEFAULT-VALUE}.")
  private Path output = Path.of("report.html");

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all figures to FILE, as JSON, too.")
  private @Nullable Path json;

  @Override
  public Integer call() {
    OutputFile page = OutputFile.html(output);
    page.check();
    @Nullable JsonFile jsonFile = json == null ? null : new JsonFile(json);
    if (jsonFile != null) {
      jsonFile.check();
    }
    Merge merge = merge();
    for (Skipped skipped : merge.skipped()) {
      System.err.println("rockpool: skipped " + skipped.file() + ": " + skipped.reason());
    }
    for (Skipped partly : merge.partly()) {
      System.err.println("rockpool: partly read, " + partly.file() + ": " + partly.reason());
    }
    for (Skipped repeated : merge.repeated()) {
      System.err.println("rockpool: counted once, " + repeated.file() + ": " + repeated.reason());
    }
    if (merge.files() == 0) {
      throw new CommandFailure(
          "There must be a recording with arenas: none of "
              + Report.counted(files.size(), "file")
              + " could be used, and nothing was written. Record with the agent's option record,"
              + " then give the .jfr files");
    }
    Report report = Report.of(merge);
    System.out.print(ReportText.of(report));
    page.write(ReportPage.of(report).html());
    if (jsonFile != null) {
      jsonFile.write(ReportJson.of(report));
    }
    System.out.println("\nThe page: " + output);
    return merge.skipped().isEmpty() && merge.partly().isEmpty() ? 0 : 1;
  }

  private Merge merge() {
    Merge merge = new Merge();
    try (Progress progress = Progress.of(files.size())) {
      for (Path file : files) {
        progress.begin(file.toString());
        merge.add(file);
      }
    }
    return merge;
  }
}
