package dev.rockpool.cli.scan.source;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a user named, one argument after the other: a jar, a folder, a class path, or {@code @FILE}
 * with one of these on each line.
 */
public final class ClassPath {
  private final Set<Path> jars = new LinkedHashSet<>();
  private final List<Folder> folders = new ArrayList<>();
  private final Set<Path> folderPaths = new LinkedHashSet<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /**
   * Finds out what there is.
   *
   * @throws IllegalArgumentException if an argument that is not a class path names nothing
   */
  public ClassPath(List<String> arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("@")) {
        addLines(argument.substring(1));
      } else if (argument.contains(File.pathSeparator)) {
        addEntries(argument);
      } else if (!add(argument)) {
        throw new IllegalArgumentException(
            "PATH must be a jar, a folder, a class path or @FILE: there is no " + argument);
      }
    }
  }

  /** More of it: an entry that does not exist is named, as in a class path among the arguments. */
  public void addAll(List<Path> entries) {
    entries.forEach(entry -> addEntry(entry.toString()));
  }

  private void addLines(String file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          "@FILE must be a text file with a PATH on each line: " + file + ": " + Reasons.of(e), e);
    }
    lines.stream().map(String::strip).filter(line -> !line.isEmpty()).forEach(this::addEntries);
  }

  /** As for a JVM, an entry that does not exist is no failure; but it is named. */
  private void addEntries(String classPath) {
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        addEntry(entry);
      }
    }
  }

  private void addEntry(String entry) {
    if (!add(entry)) {
      skipped.add(new Skipped(entry, "there is no such file"));
    }
  }

  /** Whether there is such a thing. */
  private boolean add(String entry) {
    try {
      Path path = Path.of(entry.endsWith("/*") ? entry.substring(0, entry.length() - 2) : entry);
      if (!Files.exists(path)) {
        return false;
      }
      if (!Files.isDirectory(path)) {
        jars.add(path);
      } else if (folderPaths.add(path)) {
        Folder folder = new Folder(path);
        jars.addAll(folder.jars());
        folders.add(folder);
      }
      return true;
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Readers of all jars and folders, in the order given, jars first. */
  public List<Supplier<Contents>> readers() {
    List<Supplier<Contents>> readers = new ArrayList<>();
    jars.forEach(jar -> readers.add(() -> Jar.read(jar)));
    folders.stream().filter(Folder::hasClasses).forEach(folder -> readers.add(folder::read));
    return readers;
  }

  /** Entries of class paths that do not exist. */
  public List<Skipped> skipped() {
    return skipped;
  }
}
