package dev.rockpool.cli.support;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --json}, to mix in. */
public final class JsonOption {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all figures to FILE, as JSON, too.")
  private @Nullable Path path;

  public boolean isGiven() {
    return path != null;
  }

  /** Returns the file, and fails if it can't be written. */
  public OutputFile file() {
    return OutputFile.checked(path, "JSON");
  }
}
