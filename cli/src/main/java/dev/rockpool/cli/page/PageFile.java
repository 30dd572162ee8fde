package dev.rockpool.cli.page;

import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file for a page. */
public record PageFile(Path path) {
  /** Fails if the file cannot be written: better known before the work than after it. */
  public void check() {
    Path folder = path.toAbsolutePath().getParent();
    Path mustBeWritable = Files.exists(path) ? path : folder;
    if (Files.isDirectory(path) || mustBeWritable == null || !Files.isWritable(mustBeWritable)) {
      throw new CommandFailure(
          "The file for HTML must be in a folder that exists, and writable: it is " + path);
    }
  }

  /** Writes {@code page} in place of what was there. */
  public void write(Page page) {
    try {
      Files.writeString(path, page.html());
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + path + ": " + e.getMessage(), e);
    }
  }
}
