package dev.rockpool.agent;

import java.io.IOException;
import java.io.InputStream;
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

/**
 * The class files of loaded classes, as far as they lie in folders, in jars, and in jars within
 * jars as Spring Boot packs them.
 *
 * <p>Found by where a class says that it came from, and read here. No class loader is asked: that
 * is the program's, and may block, fail, or answer with the file of another loader's class.
 */
final class ClassFiles implements AutoCloseable {
  private static final String VERSIONS = "META-INF/versions/";

  /** The first release that a jar may have class files of its own for. */
  private static final int FIRST_RELEASE = 9;

  /** Where class files are; each place is opened once. */
  private interface Place {
    /** A class file of that name, perhaps; null if there is none. */
    @Nullable List<byte[]> find(String file) throws IOException;
  }

  private final Predicate<byte[]> wanted;
  private final Map<String, Place> places = new HashMap<>();
  private final List<JarFile> open = new ArrayList<>();

  /**
   * @param wanted the class files to look for
   */
  ClassFiles(Predicate<byte[]> wanted) {
    this.wanted = wanted;
  }

  /**
   * What may be the class file of a class, and is wanted. A jar may have one for each release;
   * which of them it was, was up to the loader.
   *
   * @return null if the class file can't be found, or not be read
   */
  @Nullable List<byte[]> of(Class<?> loaded) {
    try {
      CodeSource source = loaded.getProtectionDomain().getCodeSource();
      URL location = source == null ? null : source.getLocation();
      return location == null
          ? null
          : place(location).find(LoadedClasses.internalName(loaded) + ".class");
    } catch (Throwable unreadable) {
      return null;
    }
  }

  /** Takes of a URL what it holds: its other methods may call a handler of the program's. */
  private Place place(URL location) throws IOException {
    String key = location.getProtocol() + ":" + location.getPath();
    Place place = places.get(key);
    if (place == null) {
      place = open(key);
      places.put(key, place);
    }
    return place;
  }

  /** For file:FOLDER/, file:JAR, jar:file:JAR!/INNER!/ and jar:nested:JAR/!INNER!/. */
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

  /** Fails for what may never end, as a pipe does that nobody writes to. */
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

  /** Read from its start to its end, as it is no file; keeps of it only what is wanted. */
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
        // It was only read.
      }
    }
  }
}
