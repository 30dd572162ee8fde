package dev.rockpool.cli.scan;

import java.nio.file.Path;
import java.util.List;

/**
 * A jar, or the classes of a folder.
 *
 * @param name its path; with "!/" and another one for each jar that it is in
 * @param classes how many class files there are, of any kind
 * @param findings in the order of class files, and of lines in them
 */
record Artifact(String name, int classes, List<Finding> findings) {
  /** The name without folders; for tables. */
  String label() {
    int inner = name.indexOf("!/");
    if (inner >= 0) {
      return fileName(name.substring(0, inner)) + "!" + name.substring(name.lastIndexOf('/'));
    }
    return name.endsWith(".jar") ? fileName(name) : name;
  }

  private static String fileName(String path) {
    Path name = Path.of(path).getFileName();
    return name == null ? path : name.toString();
  }

  Tally tally() {
    return Tally.of(findings);
  }
}
