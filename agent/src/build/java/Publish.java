import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Puts a finished jar under the name that programs use, in one step. So no JVM starts with a part
 * of it, and one that runs keeps the file that it has opened.
 */
final class Publish {
  private Publish() {}

  /**
   * Copies a file.
   *
   * @param arguments the finished file, and its name for programs
   */
  public static void main(String[] arguments) throws IOException {
    Path published = Path.of(arguments[1]);
    Path next = published.resolveSibling(published.getFileName() + ".next");
    Files.copy(Path.of(arguments[0]), next, REPLACE_EXISTING);
    Files.move(next, published, ATOMIC_MOVE);
  }
}
