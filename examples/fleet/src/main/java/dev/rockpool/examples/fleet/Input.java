package dev.rockpool.examples.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file that an executor reads.
 *
 * @param name its path, or its URI in a file system other than the local one
 * @param bytes its size, 0 if not known
 */
record Input(String name, long bytes) implements Serializable {
  /** Largest first, because the tasks that take longest should begin first. */
  static final Comparator<Input> LARGEST_FIRST =
      Comparator.comparingLong(Input::bytes).reversed().thenComparing(Input::name);

  /**
   * Lists what {@code argument} names: a file; a folder, with the files at any depth whose names
   * end as given; or {@code @FILE} with one of these on each line. A line or a folder that can't be
   * read is an input, too: its task has the reason.
   *
   * @throws IOException if the argument names nothing that can be read
   */
  static List<Input> list(String argument, Pattern ending, Configuration conf) throws IOException {
    Map<String, Input> all = new HashMap<>();
    if (argument.startsWith("@")) {
      Path list = new Path(argument.substring(1));
      try (InputStream in = list.getFileSystem(conf).open(list)) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(line -> addOrNote(line, ending, conf, all));
      }
    } else {
      add(new Path(argument), ending, conf, all);
    }
    return List.copyOf(all.values());
  }

  private static void addOrNote(
      String name, Pattern ending, Configuration conf, Map<String, Input> all) {
    try {
      add(new Path(name), ending, conf, all);
    } catch (IOException | IllegalArgumentException e) {
      all.put(name, new Input(name, 0));
    }
  }

  private static void add(Path path, Pattern ending, Configuration conf, Map<String, Input> all)
      throws IOException {
    FileSystem system = path.getFileSystem(conf);
    FileStatus status = system.getFileStatus(path);
    if (status.isFile()) {
      String name = name(status.getPath());
      all.put(name, new Input(name, status.getLen()));
      return;
    }
    for (FileStatus each : system.listStatus(path)) {
      if (each.isDirectory() || ending.matcher(each.getPath().getName()).find()) {
        addOrNote(name(each.getPath()), ending, conf, all);
      }
    }
  }

  private static boolean isLocal(Path path) {
    String scheme = path.toUri().getScheme();
    return scheme == null || scheme.equals("file");
  }

  private static String name(Path path) {
    return isLocal(path) ? path.toUri().getPath() : path.toString();
  }

  /**
   * Applies {@code reader} to the file, or to a temporary copy if the file is not local.
   *
   * @throws IOException if it can't be copied
   */
  <T> T read(Configuration conf, Function<java.nio.file.Path, T> reader) throws IOException {
    Path path = new Path(name);
    if (isLocal(path)) {
      return reader.apply(java.nio.file.Path.of(name));
    }
    java.nio.file.Path folder = Files.createTempDirectory("rockpool-fleet-");
    java.nio.file.Path copy = folder.resolve(path.getName());
    try {
      path.getFileSystem(conf).copyToLocalFile(false, path, new Path(copy.toUri()), true);
      return reader.apply(copy);
    } finally {
      Files.deleteIfExists(copy);
      Files.delete(folder);
    }
  }

  /** The name of this input, or of a thing in it, where {@code name} begins with what was read. */
  String renamed(String name, java.nio.file.Path read) {
    return this.name + name.substring(read.toString().length());
  }

  /** The message of a failure, or its kind. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
