package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.LoadedClasses.ClassFiles;
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

  /** A program's handler, which nobody has a reason to call once a class is defined. */
  private static final class Handler extends URLStreamHandler {
    private boolean done;

    @Override
    protected URLConnection openConnection(URL url) {
      throw new AssertionError("opened");
    }

    @Override
    protected String toExternalForm(URL url) {
      if (done) {
        throw new AssertionError("written");
      }
      return super.toExternalForm(url);
    }

    @Override
    protected int hashCode(URL url) {
      throw new AssertionError("hashed");
    }

    @Override
    protected boolean equals(URL url, URL other) {
      throw new AssertionError("compared");
    }
  }

  @TempDir private Path directory;

  /** Has a blank in its name. */
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectories(directory.resolve("some folder"));
  }

  @Test
  void aFileInAFolder() throws IOException {
    Path file = folder.resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[] {1});

    assertThat(of(folder.toUri().toString())).containsExactly("1");
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

  @Test
  void onlyTheOnesThatAreWanted() throws IOException {
    String jar = jar(Map.of(FILE, new byte[] {100}), false).toUri().toString();

    assertThat(of(jar)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/no/such.jar",
        "file:/no/such/folder/",
        "file:/",
        "file:/no%00such.jar",
        "jar:file:/no/such.jar!/",
        "jar:nested:/no/such.jar/!BOOT-INF/lib/inner.jar!/",
        "jrt:/java.base",
        "http://example.org/a.jar",
        "anything:at:all"
      })
  void whatCannotBeFoundIsUnknown(String location) throws IOException {
    assertThat(of(location)).isNull();
  }

  @Test
  void whatIsNotInItsJarIsUnknown() throws IOException {
    Path jar = jar(Map.of("other", new byte[] {1}, "lib/a.jar", bytes(Map.of(), false)), false);

    assertThat(of(jar.toUri().toString())).isNull();
    assertThat(of("jar:" + jar.toUri() + "!/lib/a.jar!/")).isNull();
    assertThat(of("jar:" + jar.toUri() + "!/lib/b.jar!/")).isNull();
    Files.write(jar, new byte[] {1, 2, 3});
    assertThat(of(jar.toUri().toString())).isNull();
  }

  @Test
  void aClassFromNowhereIsUnknown() {
    try (ClassFiles files = new ClassFiles(bytes -> true)) {
      assertThat(files.of(new ClassesInMemory(Map.of()).getClass())).isNotNull();
      assertThat(files.of(define(null))).isNull();
      assertThat(files.of(Object.class)).isNull();
    }
  }

  /** The first byte of each file found for a class from there; 100 is not wanted. */
  private static List<String> of(String location) throws IOException {
    try (ClassFiles files = new ClassFiles(bytes -> bytes[0] != 100)) {
      Handler handler = new Handler();
      // The JDK lets nobody handle its own protocols.
      boolean ofJdk = location.startsWith("file:") || location.startsWith("jrt:");
      URL url = URL.of(URI.create(location), ofJdk ? null : handler);
      Class<?> loaded = define(new CodeSource(url, (Certificate[]) null));
      handler.done = true;
      List<byte[]> found = files.of(loaded);
      return found == null ? null : found.stream().map(bytes -> Byte.toString(bytes[0])).toList();
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
