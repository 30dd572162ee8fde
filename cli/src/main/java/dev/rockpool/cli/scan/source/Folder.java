package dev.rockpool.cli.scan.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** A folder: the class files in it, and the jars, which count for themselves. */
final class Folder {
  private final Path root;
  private final List<Path> classes = new ArrayList<>();
  private final List<Path> jars = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /** Lists what is there, at any depth. */
  Folder(Path root) {
    this.root = root;
    try {
      Files.walkFileTree(root, new Visitor());
    } catch (IOException e) {
      skipped.add(new Skipped(root.toString(), Reasons.of(e)));
    }
    jars.sort(null);
    classes.sort(null);
  }

  List<Path> jars() {
    return jars;
  }

  boolean hasClasses() {
    return !classes.isEmpty();
  }

  Contents read() {
    Contents contents = new Contents(root.toString(), 0);
    skipped.forEach(s -> contents.skip("", s.name() + ": " + s.reason()));
    classes.parallelStream().map(this::read).toList().forEach(contents::add);
    return contents;
  }

  private Contents read(Path file) {
    Contents contents = new Contents(root.toString(), 0);
    String entry =
        root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
    try {
      contents.add(entry, Files.readAllBytes(file));
    } catch (IOException e) {
      contents.skip(entry, Reasons.of(e));
    }
    return contents;
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String name = file.getFileName().toString();
      if (ClassFile.isNamedLikeOne(name)) {
        classes.add(file);
      } else if (Contents.isArchive(name)) {
        jars.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      skipped.add(new Skipped(file.toString(), Reasons.of(failure)));
      return FileVisitResult.CONTINUE;
    }
  }
}
