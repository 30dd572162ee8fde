import com.google.googlejavaformat.java.Formatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lays out the sources of all modules by google-java-format: with argument {@code write} in place,
 * with {@code check} it names the files that would change, and fails.
 */
final class Format {
  private Format() {}

  public static void main(String[] arguments) throws IOException {
    boolean write = arguments[0].equals("write");
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(""))) {
      files = all.filter(file -> file.toString().matches("(?!.*/target/).*/src/.*\\.java")).toList();
    }
    List<Path> changed = files.parallelStream().filter(file -> changes(file, write)).toList();
    if (!write && !changed.isEmpty()) {
      System.err.println("Not formatted (to fix: mvn -N -Pformat validate):");
      changed.forEach(System.err::println);
      System.exit(1);
    }
  }

  private static boolean changes(Path file, boolean write) {
    try {
      String text = Files.readString(file);
      String formatted = new Formatter().formatSourceAndFixImports(text);
      if (formatted.equals(text)) {
        return false;
      }
      if (write) {
        Files.writeString(file, formatted);
      }
      return true;
    } catch (Exception failure) {
      throw new IllegalStateException(file + ": " + failure.getMessage(), failure);
    }
  }
}
