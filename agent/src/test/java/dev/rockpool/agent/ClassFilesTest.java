package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.LoadedClasses.ClassFiles;
import dev.rockpool.testing.Sources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The class files of loaded classes, found by what a class tells of its origin. */
class ClassFilesTest {
  private static final byte[] CLASS =
      Sources.compile(Sources.RELEASE, "package pack;\n\npublic class Sample {}")
          .get("pack.Sample");

  private static final String FILE = "pack/Sample.class";

  @TempDir private Path directory;

  /** Has a blank in its name. */
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectories(directory.resolve("some folder"));
  }

  @Test
  void anEntryOfAJar() throws IOException {
    Path jar = jar(Map.of(FILE, new byte[] {2}), false);

    assertThat(of(jar.toUri().toString())).containsExactly("2");
    assertThat(of("jar:" + jar.toUri() + "!/")).containsExactly("2");
  }

  /** The loader decides which of them was loaded. */
  @Test
  void allReleasesOfAnEntry() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(FILE, new byte[] {3});
    entries.put("META-INF/versions/9/" + FILE, new byte[] {4});
    entries.put("META-INF/versions/25/" + FILE, new byte[] {5});

    assertThat(of(jar(entries, true).toUri().toString())).containsExactly("3", "4", "5");
    assertThat(of(jar(entries, false).toUri().toString())).containsExactly("3");
    entries.remove(FILE);
    assertThat(of(jar(entries, true).toUri().toString())).containsExactly("4", "5");
  }

  /** Spring Boot's names: since its version 3.2, and before. */
  @ParameterizedTest
  @ValueSource(strings = {"jar:nested:PATH/!INNER!/", "jar:file:PATH!/INNER!/"})
  void anEntryOfAJarWithinAJar(String form) throws IOException {
    byte[] inner =
        bytes(
            Map.of(
                FILE,
                new byte[] {6},
                "META-INF/versions/11/" + FILE,
                new byte[] {7},
                "other",
                new byte[] {8}),
            false);
    Path jar =
        jar(
            Map.of(
                "BOOT-INF/lib/inner.jar",
                inner,
                "BOOT-INF/classes/" + FILE,
                new byte[] {9},
                FILE,
                new byte[] {10}),
            false);
    String location = form.replace("PATH", jar.toUri().getRawPath());

    assertThat(of(location.replace("INNER", "BOOT-INF/lib/inner.jar")))
        .containsExactlyInAnyOrder("6", "7");
    assertThat(of(location.replace("INNER", "BOOT-INF/classes/"))).containsExactly("9");
  }

  /** The first byte of each file found for a class from there. */
  private static List<String> of(String location) throws IOException {
    try (ClassFiles files = new ClassFiles(bytes -> true)) {
      URLStreamHandler handler =
          new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
              throw new AssertionError("opened");
            }
          };
      // The JDK lets nobody handle its own protocols.
      URL url = URL.of(URI.create(location), location.startsWith("file:") ? null : handler);
      List<byte[]> found = files.of(define(new CodeSource(url, (Certificate[]) null)));
      return found.stream().map(bytes -> Byte.toString(bytes[0])).toList();
    }
  }

  private static Class<?> define(CodeSource source) {
    return new ClassLoader() {
      Class<?> define() {
        return defineClass(null, CLASS, 0, CLASS.length, new ProtectionDomain(source, null));
      }
    }.define();
  }

  private Path jar(Map<String, byte[]> entries, boolean multiRelease) throws IOException {
    return Files.write(folder.resolve("a.jar"), bytes(entries, multiRelease));
  }

  private static byte[] bytes(Map<String, byte[]> entries, boolean multiRelease)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Multi-Release", Boolean.toString(multiRelease));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        out.putNextEntry(new JarEntry(each.getKey()));
        out.write(each.getValue());
      }
    }
    return bytes.toByteArray();
  }
}
