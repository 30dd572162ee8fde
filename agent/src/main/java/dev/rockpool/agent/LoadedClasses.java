package dev.rockpool.agent;

import dev.rockpool.rewrite.Skip;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Retransforms loaded classes, when the agent is installed or uninstalled. */
final class LoadedClasses {
  /**
   * Classes to retransform at once. The JVM swaps classes in a safepoint, in which it goes through
   * all loaded classes: some 15 ms for 16,000. A hundred classes at once take a quarter more; a
   * thousand take eight times as long.
   */
  private static final int BATCH = 100;

  private final Instrumentation instrumentation;
  private final AgentReport report;

  LoadedClasses(Instrumentation instrumentation, AgentReport report) {
    this.instrumentation = instrumentation;
    this.report = report;
  }

  /** Returns the loaded classes of the application that are {@code wanted}. */
  List<Class<?>> matching(Predicate<Class<?>> wanted) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (AgentTransformer.isApplication(loaded.getModule(), loaded.getClassLoader())
          && instrumentation.isModifiableClass(loaded)
          && wanted.test(loaded)) {
        found.add(loaded);
      }
    }
    return found;
  }

  static String internalName(Class<?> loaded) {
    return loaded.getName().replace('.', '/');
  }

  /**
   * Retransforms classes, many at once. If the JVM refuses a batch for the sake of one class,
   * retransforms each alone.
   */
  void retransform(List<Class<?>> classes) {
    for (int from = 0; from < classes.size(); from += BATCH) {
      List<Class<?>> batch = classes.subList(from, Math.min(from + BATCH, classes.size()));
      if (refusal(batch) != null) {
        for (Class<?> each : batch) {
          retransformAlone(each);
        }
      }
    }
  }

  /** Retransforms the class that declares a method of the JDK, if it is loaded. */
  void retransform(JdkMethod method) {
    Class<?> loaded = ofJdk(instrumentation, method.owner.replace('/', '.'));
    if (loaded != null) {
      retransformAlone(loaded);
    }
  }

  private void retransformAlone(Class<?> loaded) {
    Throwable refusal = refusal(List.of(loaded));
    if (refusal != null) {
      report.addSkipped(internalName(loaded), Skip.REFUSED, refusal);
    }
  }

  /** Retransforms classes; returns what the JVM throws if it refuses, or null. */
  private @Nullable Throwable refusal(List<Class<?>> classes) {
    try {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
      return null;
    } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError refusal) {
      return refusal; // InternalError: what the JVM throws for a class file that it can't merge
    }
  }

  /** Returns the class of the JDK of that binary name, or null if it is not loaded. */
  static @Nullable Class<?> ofJdk(Instrumentation instrumentation, String name) {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == null && loaded.getName().equals(name)) {
        return loaded;
      }
    }
    return null;
  }

  /**
   * Reads the class files of loaded classes from folders, jars, and jars within jars as Spring Boot
   * packs them.
   *
   * <p>Finds the files by the code source of a class. No class loader is asked, because the
   * program's loader may block, fail, or return the file of another loader's class.
   */
  static final class ClassFiles implements AutoCloseable {
    private static final String VERSIONS = "META-INF/versions/";

    /** The first Java release for which a multi-release jar may have class files. */
    private static final int FIRST_RELEASE = 9;

    /** A folder or jar with class files, opened once. */
    private interface Place {
      /** Returns the wanted class files of that name; null if there is no file of that name. */
      @Nullable List<byte[]> find(String file) throws IOException;
    }

    private final Predicate<byte[]> wanted; // class files to look for
    private final Map<String, Place> places = new HashMap<>();
    private final List<JarFile> open = new ArrayList<>();

    ClassFiles(Predicate<byte[]> wanted) {
      this.wanted = wanted;
    }

    /**
     * Returns the wanted candidates for the file of a class. A jar may have one for each release,
     * and only the loader knows which of them it has loaded.
     *
     * @return null if the class file can't be found, or not be read
     */
    @Nullable List<byte[]> of(Class<?> loaded) {
      try {
        CodeSource source = loaded.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : place(location).find(internalName(loaded) + ".class");
      } catch (IOException | RuntimeException unreadable) {
        return null;
      }
    }

    /** Reads only the URL's fields, because other methods may call a handler of the program. */
    private Place place(URL location) throws IOException {
      String key = location.getProtocol() + ":" + location.getPath();
      Place place = places.get(key);
      if (place == null) {
        place = open(key);
        places.put(key, place);
      }
      return place;
    }

    /** Opens file:FOLDER/, file:JAR, jar:file:JAR!/INNER!/ or jar:nested:JAR/!INNER!/. */
    private Place open(String location) throws IOException {
      String[] parts = location.split("!", -1);
      Path path = Path.of(URI.create(parts[0].replaceFirst("^(jar:)?(nested|file):", "file:")));
      if (parts[0].startsWith("file:") && parts[0].endsWith("/")) {
        return file -> wanted(Files.readAllBytes(regular(path.resolve(file))));
      }
      JarFile jar = new JarFile(regular(path).toFile(), false);
      open.add(jar);
      String inner = parts.length < 2 ? "" : parts[1].replaceFirst("^/", "");
      return inner.endsWith(".jar") ? innerJar(jar, inner) : file -> find(jar, inner + file);
    }

    /** Throws unless the path is a regular file, because reading a pipe may never end. */
    private static Path regular(Path path) throws IOException {
      if (!Files.isRegularFile(path)) {
        throw new NoSuchFileException(path.toString());
      }
      return path;
    }

    private List<byte[]> wanted(byte[] classFile) {
      return wanted.test(classFile) ? List.of(classFile) : List.of();
    }

    private @Nullable List<byte[]> find(JarFile jar, String file) throws IOException {
      List<byte[]> found = new ArrayList<>();
      boolean any = add(jar, file, found);
      if (jar.isMultiRelease()) {
        for (int release = FIRST_RELEASE; release <= Runtime.version().feature(); release++) {
          any |= add(jar, VERSIONS + release + "/" + file, found);
        }
      }
      return any ? found : null;
    }

    private boolean add(JarFile jar, String name, List<byte[]> found) throws IOException {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null) {
        return false;
      }
      try (InputStream in = jar.getInputStream(entry)) {
        found.addAll(wanted(in.readAllBytes()));
      }
      return true;
    }

    /** Reads an inner jar once, from start to end, and keeps only the wanted class files. */
    private Place innerJar(JarFile jar, String inner) throws IOException {
      Map<String, List<byte[]>> all = new HashMap<>();
      try (InputStream in = jar.getInputStream(jar.getEntry(inner));
          ZipInputStream files = new ZipInputStream(in)) {
        for (ZipEntry each = files.getNextEntry(); each != null; each = files.getNextEntry()) {
          if (each.getName().endsWith(".class")) {
            String name = each.getName().replaceFirst("^" + VERSIONS + "[0-9]+/", "");
            all.computeIfAbsent(name, first -> new ArrayList<>())
                .addAll(wanted(files.readAllBytes()));
          }
        }
      }
      return all::get;
    }

    @Override
    public void close() {
      for (JarFile each : open) {
        try {
          each.close();
        } catch (IOException left) {
          // The jar was only read.
        }
      }
    }
  }
}
