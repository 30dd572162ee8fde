package dev.rockpool.cli.scan;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.PidConverter;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.RunningJvm;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Scan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./rockpool scan}. */
@Command(
    name = "scan",
    header = "Find where jars create arenas, and what becomes of them.",
    description = {
      "",
      "Reads class files, runs none. For each place that creates an arena it says whether the arena"
          + " is closed by try-with-resources, whether it escapes, and how many bytes it is asked"
          + " for; docs/scan.md says what each column means, and what is out of sight.",
      "",
    })
public final class ScanCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = {
        "A jar (jars within it are scanned, too), a folder (of classes, or of jars), a class path"
            + " such as that of a build, or @FILE with one of these on each line.",
      })
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--pid",
      paramLabel = "PID",
      converter = PidConverter.class,
      description = {
        "Scan the class path and the module path of a running JVM, too; 'jps -l' lists them."
      })
  private @Nullable Long pid;

  @Option(names = "--sites", description = "List each place, with file and line.")
  private boolean sites;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all that was found to FILE, as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with all that was found to FILE, too.")
  private @Nullable Path html;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    @Nullable JsonFile jsonFile = json == null ? null : new JsonFile(json);
    if (jsonFile != null) {
      jsonFile.check();
    }
    @Nullable OutputFile page = html == null ? null : OutputFile.html(html);
    if (page != null) {
      page.check();
    }
    Scan scan = scan();
    System.out.print(ScanText.text(scan, sites));
    if (jsonFile != null) {
      jsonFile.write(ScanJson.of(scan));
    }
    if (page != null) {
      page.write(ScanPage.of(scan, "./rockpool scan " + named()).html());
    }
    if (scan.classes() == 0) {
      throw new CommandFailure(
          "There must be something to scan: no class file was found in " + named());
    }
    return 0;
  }

  /** The paths as on the command line. */
  private String named() {
    String path = String.join(" ", paths);
    return pid == null ? path : ("--pid " + pid + " " + path).strip();
  }

  private Scan scan() {
    ClassPath classPath;
    try {
      if (paths.isEmpty() && pid == null) {
        throw new IllegalArgumentException("Missing required parameter: 'PATH', or else --pid");
      }
      classPath = new ClassPath(paths);
    } catch (IllegalArgumentException e) {
      throw spec == null
          ? e
          : new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (pid != null) {
      classPath.addAll(new RunningJvm(pid).classPath());
    }
    try (Progress progress = Progress.of(classPath.size())) {
      return Scan.of(classPath, progress::end);
    }
  }
}
