package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Place;
import dev.rockpool.scan.Finding.Request;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library, as a program uses it that has a class path and wants findings. */
class ScanTest {
  private static final String ENTRY = "shapes/TryWithResources.class";

  @TempDir private static Path classes;

  @TempDir private Path folder;

  @BeforeAll
  static void compile() throws Exception {
    Path source = Path.of(ScanTest.class.getResource("shapes/TryWithResources.java").toURI());
    Compiler.JAVAC_25.compile(List.of(source), classes);
  }

  private static byte[] classFile() throws IOException {
    return Files.readAllBytes(classes.resolve(ENTRY));
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static Finding finding(String entry, int release) {
    return new Finding(
        new Place(
            entry,
            release,
            "shapes.TryWithResources",
            "run",
            "shapes/",
            Optional.of("TryWithResources.java"),
            9),
        ArenaKind.CONFINED,
        Closing.TRY_WITH_RESOURCES,
        Set.of(),
        false,
        false,
        List.of(new Request(OptionalLong.of(8), false, 10)),
        OptionalLong.of(8));
  }

  @Test
  void findsInAFolder() {
    Scan scan = Scan.of(new ClassPath(List.of(classes.toString())));

    assertThat(scan)
        .isEqualTo(
            new Scan(
                List.of(new Artifact(classes.toString(), 1, List.of(finding(ENTRY, 0)))),
                List.of()));
    assertThat(scan.classes()).isEqualTo(1);
  }

  @Test
  void countsJarsWithinAJarForThemselves() throws IOException {
    byte[] inner = jar(Map.of("META-INF/versions/26/" + ENTRY, classFile()));
    Path outer = folder.resolve("outer.war");
    Files.write(outer, jar(Map.of("WEB-INF/lib/inner.jar", inner)));

    assertThat(Scan.of(new ClassPath(List.of(outer.toString()))).artifacts())
        .containsExactly(
            new Artifact(outer.toString(), 0, List.of()),
            new Artifact(
                outer + "!/WEB-INF/lib/inner.jar",
                1,
                List.of(finding("META-INF/versions/26/" + ENTRY, 26))));
  }

  @Test
  void saysWhenAJarOrFolderIsDone() throws IOException {
    Path jar = Files.write(folder.resolve("one.jar"), jar(Map.of(ENTRY, classFile())));
    ClassPath classPath = new ClassPath(List.of(classes.toString()));
    classPath.addAll(List.of(jar, jar));
    Queue<String> done = new ConcurrentLinkedQueue<>();

    Scan.of(classPath, done::add);

    assertThat(done).containsExactlyInAnyOrder(jar.toString(), classes.toString());
    assertThat(classPath.size()).isEqualTo(2);
  }

  @Test
  void namesWhatItCannotRead() throws IOException {
    Path jar =
        Files.write(
            folder.resolve("text.jar"),
            jar(Map.of("Text.class", "text".getBytes(StandardCharsets.UTF_8))));

    assertThat(Scan.of(new ClassPath(List.of("gone.jar" + File.pathSeparator + jar))).skipped())
        .containsExactly(
            new Skipped("gone.jar", "there is no such file"),
            new Skipped(jar + "!/Text.class", "a class file starts with CAFEBABE: it does not"));
  }

  @Test
  void refusesAnArgumentThatNamesNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClassPath(List.of("no-such.jar")))
        .withMessageContaining("there is no no-such.jar");
  }

  @Test
  void passesOnWhatTheCallerThrows() {
    ClassPath classPath = new ClassPath(List.of(classes.toString()));

    assertThatThrownBy(
            () ->
                Scan.of(
                    classPath,
                    name -> {
                      throw new UnsupportedOperationException(name);
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void neverChanges() {
    Finding all =
        new Finding(
            finding(ENTRY, 0).place(),
            ArenaKind.AUTO,
            Closing.NEVER,
            EnumSet.allOf(Escape.class),
            false,
            false,
            List.of(),
            OptionalLong.empty());

    assertThat(all.escapes()).containsExactly(Escape.values()).isUnmodifiable();
    assertThat(Scan.of(new ClassPath(List.of())).artifacts()).isEmpty();
    assertThat(finding(ENTRY, 0).place())
        .hasToString("shapes.TryWithResources.run(TryWithResources.java:9)");
    assertThat(new Place(ENTRY, 0, "A", "b", "", Optional.empty(), -1))
        .hasToString("A.b(Unknown Source)");
  }
}
