package dev.rockpool.cli.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A new folder for files that nobody needs afterwards; they go with {@link #close}. */
public record ScratchFolder(Path path) implements AutoCloseable {
  public static ScratchFolder create() {
    try {
      Path path = Files.createTempDirectory("rockpool-");
      path.toFile().deleteOnExit(); // should we be ended before close
      return new ScratchFolder(path);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make a folder for temporary files: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
