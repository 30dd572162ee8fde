package dev.rockpool.cli.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file for results.
 *
 * @param path where it is
 * @param format the format of its content, as messages name it
 */
public record OutputFile(Path path, String format) {
  /** A file for a page. */
  public static OutputFile html(Path path) {
    return new OutputFile(path, "HTML");
  }

  /** Fails if the file cannot be written: better known before the work than after it. */
  public void check() {
    Path folder = path.toAbsolutePath().getParent();
    Path mustBeWritable = Files.exists(path) ? path : folder;
    if (Files.isDirectory(path) || mustBeWritable == null || !Files.isWritable(mustBeWritable)) {
      throw new CommandFailure(
          "The file for "
              + format
              + " must be in a folder that exists, and writable: it is "
              + path);
    }
  }

  /** Writes {@code content} in place of what was there. */
  public void write(String content) {
    try {
      Files.writeString(path, content);
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + path + ": " + e.getMessage(), e);
    }
  }
}
