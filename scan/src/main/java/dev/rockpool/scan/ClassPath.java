package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Skipped;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Jars and folders to scan. Folders are listed when they are added, and files are read when they
 * are scanned. One thread at a time may use it.
 *
 * @since 0.1.0
 */
public final class ClassPath {
  /** Reason for skipping an entry of a class path that does not exist. */
  static final String MISSING = "there is no such file";

  /** The reason for a pipe, which may be read for ever. */
  private static final String OTHER = "neither a file nor a folder";

  private final Set<Path> jars = new LinkedHashSet<>();
  private final Map<Path, Folder> folders = new LinkedHashMap<>();

  /** Entries that do not exist, or that nobody can read. */
  final List<Skipped> skipped = new ArrayList<>();

  /**
   * Lists what the arguments name. Each of them is
   *
   * <ul>
   *   <li>a jar, war, ear or jmod; jars within it are scanned, too, and count for themselves
   *   <li>a class file
   *   <li>a folder: its class files, and each jar in it at any depth
   *   <li>a class path, with the system's separator; {@code folder/*} is all that is in the folder
   *   <li>{@code @FILE}: a text file with a jar, a folder or a class path on each line
   * </ul>
   *
   * <p>As for a JVM, an entry of a class path that does not exist is no failure. The scan names it
   * among what it skipped.
   *
   * @param arguments what to scan
   * @throws IllegalArgumentException if a jar, folder or {@code FILE} does not exist, or the last
   *     can't be read as text
   */
  public ClassPath(List<String> arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("@")) {
        addLines(argument.substring(1));
      } else if (!add(argument)) {
        if (!argument.contains(File.pathSeparator)) {
          throw new IllegalArgumentException(
              "PATH must be a jar, a class file, a folder, a class path or @FILE: there is no "
                  + argument);
        }
        addEntries(argument);
      }
    }
  }

  /**
   * Adds more jars and folders. One that does not exist is no failure, as in a class path.
   *
   * @param entries the jars and folders
   */
  public void addAll(List<Path> entries) {
    entries.forEach(entry -> addEntry(entry.toString()));
  }

  /** Adds the modules of the JDK that runs this code. */
  public void addJdk() {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (Stream<Path> all = Files.list(modules)) {
      all.sorted()
          .forEach(
              module -> folders.put(module, new Folder(module, "jrt:/" + module.getFileName())));
    } catch (IOException e) {
      skipped.add(Skipped.because(e, "jrt:/"));
    }
  }

  private void addLines(String file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      String reason = Skipped.because(e, file).reason();
      throw new IllegalArgumentException(
          "@FILE must be a text file with a PATH on each line: " + file + ": " + reason, e);
    }
    for (String line : lines) {
      if (!line.isBlank() && !add(line.strip())) {
        addEntries(line.strip());
      }
    }
  }

  private void addEntries(String classPath) {
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        addEntry(entry);
      }
    }
  }

  private void addEntry(String entry) {
    if (!add(entry)) {
      skipped.add(new Skipped(entry, MISSING));
    }
  }

  /** Whether there is such a thing. */
  private boolean add(String entry) {
    try {
      Path path = Path.of(entry.endsWith("/*") ? entry.substring(0, entry.length() - 2) : entry);
      if (!Files.exists(path)) {
        return false;
      }
      if (!Files.isDirectory(path) && !Files.isRegularFile(path)) {
        skipped.add(new Skipped(entry, OTHER));
        return true;
      }
      if (Files.isDirectory(path) || ClassFile.isNamedLikeOne(path.toString())) {
        folders.computeIfAbsent(path, key -> new Folder(key, key.toString()));
      } else {
        jars.add(path);
      }
      return true;
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * {@return the number of jars and folders, other than jars in jars: how often {@link
   * Scan#of(ClassPath, java.util.function.Consumer)} tells that one was read}
   */
  public int size() {
    return readers().size();
  }

  /** Readers of all jars and folders, in the order given, jars first. */
  List<Supplier<Contents>> readers() {
    List<Supplier<Contents>> readers = new ArrayList<>();
    jars.forEach(jar -> readers.add(() -> Contents.ofJar(jar)));
    for (Folder folder : folders.values()) {
      if (!folder.classes.isEmpty() || !folder.notListed.isEmpty()) {
        readers.add(folder::read);
      }
    }
    return readers;
  }

  /** A folder with class files, or one of these; jars in it count for themselves. */
  private final class Folder extends SimpleFileVisitor<Path> {
    private final Path root;
    private final String name;
    private final List<Path> classes = new ArrayList<>();
    private final List<Path> archives = new ArrayList<>();
    private final List<Skipped> notListed = new ArrayList<>();

    /** Lists what is there, at any depth. */
    Folder(Path root, String name) {
      this.root = root;
      this.name = name;
      try {
        Files.walkFileTree(root, this);
      } catch (IOException e) {
        notListed.add(Skipped.because(e, root.toString()));
      }
      classes.sort(null);
      archives.sort(null);
      jars.addAll(archives);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String name = file.getFileName().toString();
      boolean isClass = ClassFile.isNamedLikeOne(name);
      if (isClass || Contents.isArchive(name)) {
        if (!Files.isRegularFile(file)) {
          notListed.add(new Skipped(file.toString(), OTHER));
        } else {
          (isClass ? classes : archives).add(file);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      notListed.add(Skipped.because(failure, file.toString()));
      return FileVisitResult.CONTINUE;
    }

    private Contents read() {
      Contents contents = new Contents(name);
      contents.skipped.addAll(notListed);
      classes.parallelStream()
          .map(file -> read(file, contents.part()))
          .toList()
          .forEach(contents::add);
      return contents;
    }

    private Contents read(Path file, Contents part) {
      Path relative = file.equals(root) ? root.getFileName() : root.relativize(file);
      String entry = String.valueOf(relative).replace(file.getFileSystem().getSeparator(), "/");
      try {
        Contents.checkSize(Files.size(file));
        part.add(entry, Files.readAllBytes(file));
      } catch (IOException e) {
        part.skip(entry, e);
      }
      return part;
    }
  }
}
