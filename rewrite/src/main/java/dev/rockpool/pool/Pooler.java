package dev.rockpool.pool;

import dev.rockpool.rewrite.ClassPatterns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites classes, so that their calls of {@code Arena.ofConfined()} lead to {@code
 * dev.rockpool.arena.Arenas}, which the program must then have on its class path.
 *
 * <p>All input is read before anything is written, so bad input changes nothing. Each file is
 * written beside its place and moved there.
 *
 * @param include patterns of which a class name must match one; empty for any
 * @param exclude patterns of which a class name must match none
 * @param dropSignatures whether to remove the signatures of signed jars, which otherwise are
 *     refused, because the rewritten classes would not match them
 * @since 0.1.0
 */
public record Pooler(List<String> include, List<String> exclude, boolean dropSignatures) {
  /**
   * Checks and copies the patterns.
   *
   * @throws IllegalArgumentException if a pattern could match no class name
   */
  public Pooler {
    include = checked("include", include);
    exclude = checked("exclude", exclude);
  }

  private static List<String> checked(String option, List<String> patterns) {
    for (String pattern : patterns) {
      if (!ClassPatterns.isPattern(pattern)) {
        throw new IllegalArgumentException(
            option
                + " must be a class name, * for any characters, ? for one; may be repeated: \""
                + pattern
                + "\"");
      }
    }
    return List.copyOf(patterns);
  }

  private Rewriting start() {
    return new Rewriting(new ClassPatterns(include, exclude), dropSignatures);
  }

  /**
   * Rewrites a jar, a folder or a class file.
   *
   * @param input stays as it is
   * @param output the jar or class file to make, or to replace; the folder to make
   * @throws IllegalArgumentException if the input can't be rewritten, or the output is part of it
   */
  public PoolResult rewrite(Path input, Path output) throws IOException {
    Path from = real(input);
    requireName(output, "output");
    boolean isFolder = Files.isDirectory(from);
    require(
        !isFolder || !absolute(output).startsWith(from),
        "The output must not be in the input: it is " + output + ", in " + input);
    require(
        !isFolder || !Files.exists(output),
        "The output of a folder must be a new folder: " + output + " exists");
    require(
        !Files.exists(output) || !Files.isSameFile(from, output),
        "The output must not be the input, unless that is asked for: it is " + output);
    require(
        !Files.exists(output, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(output),
        "The output of a file must be a file: "
            + output
            + " is "
            + (Files.isDirectory(output) ? "a folder" : "a device, a pipe or a broken link"));
    requireWritable(output);
    Path to = absolute(output);
    require(
        to.getParent() != null && Files.isDirectory(to.getParent()),
        "The output must be in a folder that exists: it is " + output);
    if (isFolder) {
      return rewriteCopy(from, to);
    }
    Rewriting rewriting = start();
    byte[] changed = rewriting.file(input, from);
    write(from, changed == null ? Files.readAllBytes(from) : changed, to);
    return rewriting.result();
  }

  private PoolResult rewriteCopy(Path from, Path to) throws IOException {
    Path made = Files.createTempDirectory(to.getParent(), ".rockpool");
    try {
      for (Path each : all(from)) {
        copy(each, made.resolve(from.relativize(each).toString()));
      }
      Rewriting rewriting = start();
      writeAll(rewriting.folder(made, all(made)));
      Files.move(made, to, StandardCopyOption.ATOMIC_MOVE);
      return rewriting.result();
    } catch (IOException | RuntimeException e) {
      for (Path each : all(made).reversed()) {
        Files.delete(each);
      }
      throw e;
    }
  }

  /**
   * Rewrites a jar, a folder or a class file in its place. Files without call sites are not
   * touched, so a second run writes nothing.
   *
   * @throws IllegalArgumentException if the input can't be rewritten
   */
  public PoolResult rewrite(Path place) throws IOException {
    Path from = real(place);
    Rewriting rewriting = start();
    Map<Path, byte[]> changed;
    if (Files.isDirectory(from)) {
      changed = rewriting.folder(from, all(from));
    } else {
      byte[] file = rewriting.file(place, from);
      changed = file == null ? Map.of() : Map.of(from, file);
    }
    for (Path each : changed.keySet()) {
      requireWritable(each);
    }
    writeAll(changed);
    return rewriting.result();
  }

  private static void writeAll(Map<Path, byte[]> changed) throws IOException {
    for (Map.Entry<Path, byte[]> each : changed.entrySet()) {
      write(each.getKey(), each.getValue(), each.getKey());
    }
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new IllegalArgumentException(rule);
    }
  }

  private static Path real(Path path) throws IOException {
    requireName(path, "input");
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          "The input must be a jar, a folder or a class file: there is no " + path, e);
    }
  }

  /** Refuses the empty path, which stands for the working directory: a variable was not set. */
  private static void requireName(Path path, String what) {
    require(
        !path.toString().isEmpty(),
        "The " + what + " must be named: its path is empty; . is the working directory");
  }

  /**
   * Refuses a file that is protected: to be replaced, it need only be in a writable folder. Root
   * may write each file, but does not expect to.
   */
  private static void requireWritable(Path output) throws IOException {
    PosixFileAttributeView view = posix(output);
    require(
        !Files.isRegularFile(output)
            || (Files.isWritable(output)
                && (view == null
                    || view.readAttributes()
                        .permissions()
                        .contains(PosixFilePermission.OWNER_WRITE))),
        "The file to replace must be writable: " + output + " is read-only");
  }

  private static @Nullable PosixFileAttributeView posix(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /** Returns the path without links in the part that exists: the folder. */
  private static Path absolute(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path folder = absolute.getParent();
    return folder != null && Files.isDirectory(folder)
        ? folder.toRealPath().resolve(absolute.getFileName())
        : absolute;
  }

  /** Writes a file like {@code model} with other bytes; one that is replaced keeps its owner. */
  private static void write(Path model, byte[] bytes, Path file) throws IOException {
    Path made = Files.createTempFile(file.getParent(), ".rockpool", null);
    try {
      Files.write(made, bytes);
      PosixFileAttributeView view = posix(made);
      if (view != null) {
        view.setPermissions(Files.getPosixFilePermissions(model));
        PosixFileAttributes old =
            Files.readAttributes(Files.exists(file) ? file : made, PosixFileAttributes.class);
        try {
          view.setOwner(old.owner());
          view.setGroup(old.group());
        } catch (FileSystemException notAllowed) {
          // Only root may; the file then belongs to whoever runs this.
        }
      }
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Copies a file, folder or link, and the link as a link. */
  private static void copy(Path from, Path to) throws IOException {
    if (Files.readAttributes(from, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther()) {
      throw new IOException(
          "A folder must have files, folders and links only, as reading others may never end: "
              + from);
    }
    Files.copy(
        from,
        to,
        LinkOption.NOFOLLOW_LINKS,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
