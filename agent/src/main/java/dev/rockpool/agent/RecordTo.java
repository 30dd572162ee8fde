package dev.rockpool.agent;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The value of option {@code record}.
 *
 * @param on whether arenas are recorded
 * @param file the file that the user named; null for the running recording, or a file of our choice
 */
record RecordTo(boolean on, @Nullable Path file) {
  static final RecordTo OFF = new RecordTo(false, null);
  private static final RecordTo ANY = new RecordTo(true, null);

  /** Parses a value; returns null if it is not accepted. */
  static @Nullable RecordTo of(String value) {
    return switch (value) {
      case "off" -> OFF;
      case "on" -> ANY;
      default -> ofFile(value.replace("%p", Long.toString(ProcessHandle.current().pid())));
    };
  }

  private static @Nullable RecordTo ofFile(String name) {
    try {
      Path file = Path.of(name);
      return !name.isEmpty() && canBeWritten(file) ? new RecordTo(true, file) : null;
    } catch (InvalidPathException none) {
      return null;
    }
  }

  private static boolean canBeWritten(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder != null
        && Files.isDirectory(folder)
        && Files.isWritable(Files.exists(file) ? file : folder)
        && !Files.isDirectory(file);
  }

  /** Returns the value as the user could write it. */
  @Override
  public String toString() {
    return file != null ? file.toString() : on ? "on" : "off";
  }
}
