package dev.rockpool.maven;

import dev.rockpool.scan.Baseline;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Condition;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Fails the build if a place in the project's classes meets a condition of the scan. */
@Mojo(name = "scan", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the fields
public final class ScanMojo extends AbstractMojo {
  @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true, required = true)
  private File classes;

  /** Conditions that no place must meet. */
  @Parameter(property = "rockpool.scan.failOn", defaultValue = "never,escape")
  private List<String> failOn;

  /** File with the places that may meet them. */
  @Parameter(property = "rockpool.scan.baseline")
  private @Nullable File baseline;

  /** Whether to write all places that meet any condition to the baseline file. */
  @Parameter(property = "rockpool.scan.writeBaseline", defaultValue = "false")
  private boolean writeBaseline;

  /** Whether to scan nothing. */
  @Parameter(property = "rockpool.scan.skip", defaultValue = "false")
  private boolean skip;

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip || !classes.isDirectory()) {
      getLog().info(skip ? "Skipped" : "There are no classes to scan");
      return;
    }
    try {
      Scan scan = Scan.of(new ClassPath(List.of(classes.getPath())));
      scan.skipped().forEach(each -> getLog().warn(each.name() + ": " + each.reason()));
      Verdict verdict =
          new Verdict(
              scan, failOn.stream().map(Condition::of).collect(Collectors.toSet()), known(scan));
      int places = verdict.sites().size();
      getLog().info(places + (places == 1 ? " place creates arenas" : " places create arenas"));
      if (!verdict.failures().isEmpty()) {
        throw new MojoFailureException(
            "Places must not meet conditions of parameter failOn:\n"
                + String.join("\n", verdict.failureLines())
                + "\nFix them, or accept them: set baseline, and once writeBaseline.");
      }
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  private Baseline known(Scan scan) throws MojoExecutionException {
    if (baseline == null) {
      if (writeBaseline) {
        throw new MojoExecutionException("writeBaseline needs the parameter baseline, a file");
      }
      return Baseline.EMPTY;
    }
    try {
      if (writeBaseline) {
        Files.writeString(baseline.toPath(), Baseline.of(scan).text());
        getLog().info("Accepted all places that there are now: wrote " + baseline);
      }
      if (!baseline.exists()) {
        throw new MojoExecutionException(
            "The baseline must exist: there is no " + baseline + "; writeBaseline writes one");
      }
      return Baseline.parse(Files.readString(baseline.toPath()));
    } catch (IOException | IllegalArgumentException e) {
      throw new MojoExecutionException(
          "The baseline must be a file that writeBaseline wrote: " + baseline + ": " + e, e);
    }
  }
}
