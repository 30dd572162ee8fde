package dev.rockpool.maven;

import dev.rockpool.pool.PoolResult;
import dev.rockpool.pool.Pooler;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;

/**
 * Rewrites the project's classes: {@code Arena.ofConfined()} leads to the library, which must be a
 * dependency.
 */
@Mojo(
    name = "pool",
    defaultPhase = LifecyclePhase.PROCESS_CLASSES,
    requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME,
    threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the fields
public final class PoolMojo extends AbstractMojo {
  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true, required = true)
  private File classes;

  /** Patterns of which a class name must match one: * for any characters, ? for one. */
  @Parameter(property = "rockpool.pool.include")
  private List<String> include;

  /** Patterns for names of classes that stay as they are, even if included. */
  @Parameter(property = "rockpool.pool.exclude")
  private List<String> exclude;

  /** Whether to leave all classes as they are. */
  @Parameter(property = "rockpool.pool.skip", defaultValue = "false")
  private boolean skip;

  @Override
  public void execute() throws MojoExecutionException {
    if (skip || !classes.isDirectory()) {
      getLog().info(skip ? "Skipped" : "There are no classes to rewrite");
      return;
    }
    if (project.getArtifacts().stream().noneMatch(PoolMojo::isLibrary)) {
      throw new MojoExecutionException(
          "Rewritten classes call the library, which must be a dependency: add"
              + " dev.rockpool:rockpool to the project, in scope compile or runtime");
    }
    try {
      PoolResult result = new Pooler(include, exclude, false).rewrite(classes.toPath());
      getLog().info(result.summary() + " rewritten");
      result.notes().forEach(note -> getLog().info(note));
      result.skipped().forEach(each -> getLog().warn(each.toString()));
    } catch (IOException | IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }

  private static boolean isLibrary(Artifact artifact) {
    return artifact.getGroupId().equals("dev.rockpool")
        && artifact.getArtifactId().equals("rockpool")
        && !Artifact.SCOPE_TEST.equals(artifact.getScope());
  }
}
