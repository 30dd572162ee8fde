package dev.rockpool.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Makes jars. */
final class Jars {
  private Jars() {}

  /** A jar of these classes, by binary name, with the main class {@code Main}. */
  static Path create(Path jar, Map<String, byte[]> classes) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
    return create(jar, classes, manifest);
  }

  private static Path create(Path jar, Map<String, byte[]> classes, Manifest manifest)
      throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        out.putNextEntry(new JarEntry(each.getKey().replace('.', '/') + ".class"));
        out.write(each.getValue());
      }
    }
    return jar;
  }

  /** A jar of these classes, by binary name, that is an agent to be attached. */
  static Path create(Path jar, Map<String, byte[]> classes, String agent) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Agent-Class", agent);
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    return create(jar, classes, manifest);
  }

  /** The main attributes of a jar's manifest. */
  static Attributes manifestOf(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A copy of the agent's jar without the classes that belong into java.base. */
  static Path withoutLibrary(Path copy) throws IOException {
    Files.copy(ChildJvm.AGENT_JAR, copy);
    try (FileSystem files = FileSystems.newFileSystem(copy);
        Stream<Path> library = Files.list(files.getPath("dev/rockpool/agent"))) {
      for (Path file : library.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".classes") && !name.matches("(agent|definer|rewrite).*")) {
          Files.delete(file);
        }
      }
    }
    return copy;
  }
}
