package dev.rockpool.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Source text to class files, by the compiler of the JDK that runs the tests. */
public final class Sources {
  /** The release that programs are compiled for where it does not matter. */
  public static final int RELEASE = 25;

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:\\w+ )*?(?:class|interface|enum|record) (\\w+)");

  /** A program without a class around it; its class has the name of its file. */
  private static final Pattern COMPACT = Pattern.compile("(?m)^(?:static )?void main\\(");

  private static final Pattern MODULE = Pattern.compile("(?m)^(?:open )?module ");

  private record Compilation(int release, List<String> sources) {}

  private static final Map<Compilation, Map<String, byte[]>> COMPILED = new ConcurrentHashMap<>();

  private Sources() {}

  /** The class files of the sources by binary name, in a map of the caller's own. */
  public static Map<String, byte[]> compile(int release, String... sources) {
    Map<String, byte[]> classes = new TreeMap<>();
    COMPILED
        .computeIfAbsent(
            new Compilation(release, List.of(sources)), each -> compileNow(release, sources))
        .forEach((name, bytes) -> classes.put(name, bytes.clone()));
    return classes;
  }

  private static Map<String, byte[]> compileNow(int release, String... sources) {
    try {
      Path directory = Files.createTempDirectory("rockpool-classes");
      try {
        compileTo(directory, List.of("--release", Integer.toString(release)), sources);
        return read(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes the class files to {@code directory}, laid out as on a class path; returns it. */
  public static Path compileTo(Path directory, String... sources) {
    return compileTo(directory, List.of("--release", Integer.toString(RELEASE)), sources);
  }

  /** As above, with options for the compiler. */
  public static Path compileTo(Path directory, List<String> options, String... sources) {
    List<String> all = new ArrayList<>(List.of("-proc:none", "-d", directory.toString()));
    all.addAll(options);
    List<JavaFileObject> files =
        Arrays.stream(sources).<JavaFileObject>map(SourceText::new).toList();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    if (!compiler.getTask(messages, null, null, all, null, files).call()) {
      throw new IllegalStateException("a program of the test does not compile:\n" + messages);
    }
    return directory;
  }

  /** The class files under {@code directory}, by binary name. */
  public static Map<String, byte[]> read(Path directory) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = directory.relativize(file).toString();
        String name = path.substring(0, path.length() - ".class".length());
        classes.put(
            name.replace(file.getFileSystem().getSeparator(), "."), Files.readAllBytes(file));
      }
    }
    return classes;
  }

  /** Deletes a folder with all that it has. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String text) {
      super(URI.create("string:///" + path(text)), Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      if (MODULE.matcher(text).find()) {
        return "module-info.java";
      }
      if (COMPACT.matcher(text).find()) {
        return "Main.java";
      }
      Matcher type = TYPE.matcher(text);
      Matcher inPackage = PACKAGE.matcher(text);
      if (!type.find()) {
        throw new IllegalStateException("no type in: " + text);
      }
      String folder = inPackage.find() ? inPackage.group(1).replace('.', '/') + "/" : "";
      return folder + type.group(1) + ".java";
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
