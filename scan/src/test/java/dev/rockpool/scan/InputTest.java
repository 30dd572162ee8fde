package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Files as they come: several jars of one program, and damaged, strange and hostile ones. */
class InputTest {
  private static final String APP = "app/App.class";
  private static final String HELPER = "lib/Helper.class";

  private static final String HELPER_SOURCE =
      """
      package lib;

      import java.lang.foreign.*;

      public class Helper {
        public static final MemoryLayout LAYOUT = MemoryLayout.sequenceLayout(5, ValueLayout.JAVA_INT);

        public static MemorySegment make(Arena arena) {
          return arena.allocate(LAYOUT);
        }
      }
      """;

  @TempDir private static Path classes;

  @TempDir private Path folder;

  @BeforeAll
  static void compile(@TempDir Path sources) throws IOException {
    Path helper = Files.createDirectory(sources.resolve("lib")).resolve("Helper.java");
    Files.writeString(helper, HELPER_SOURCE);
    Path app = Files.createDirectory(sources.resolve("app")).resolve("App.java");
    Files.writeString(
        app,
        """
        package app;

        import java.lang.foreign.*;

        class App {
          void run() {
            try (Arena arena = Arena.ofConfined()) {
              lib.Helper.make(arena);
              arena.allocate(lib.Helper.LAYOUT);
            }
          }
        }
        """);
    Compiler.JAVAC_25.compile(List.of(helper, app), classes);
  }

  private static byte[] read(String entry) throws IOException {
    return Files.readAllBytes(classes.resolve(entry));
  }

  private static byte[] jar(Map<String, byte[]> entries, Charset names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes, names)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    return jar(entries, StandardCharsets.UTF_8);
  }

  private Path jar(String name, Map<String, byte[]> entries) throws IOException {
    return Files.write(folder.resolve(name), jar(entries));
  }

  private static Scan scan(Object... paths) {
    return Scan.of(new ClassPath(Arrays.stream(paths).map(Object::toString).toList()));
  }

  @Test
  @Timeout(60)
  void aPipeIsNamedAndNotRead() throws Exception {
    Path pipe = Files.createDirectory(folder.resolve("pipes")).resolve("a.jar");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path classes = Files.createDirectory(folder.resolve("pipes/classes"));
    assertThat(new ProcessBuilder("mkfifo", classes + "/A.class").start().waitFor()).isZero();

    assertThat(scan(pipe).skipped())
        .containsExactly(new Skipped(pipe.toString(), "neither a file nor a folder"));
    assertThat(scan(folder.resolve("pipes")).skipped())
        .containsExactlyInAnyOrder(
            new Skipped(pipe.toString(), "neither a file nor a folder"),
            new Skipped(classes + "/A.class", "neither a file nor a folder"));
  }

  private static List<OptionalLong> bytes(Scan scan) {
    return scan.artifacts().stream()
        .flatMap(artifact -> artifact.findings().stream())
        .map(Finding::bytes)
        .toList();
  }

  @Test
  void looksIntoOtherJars() throws IOException {
    Path app = jar("app.jar", Map.of(APP, read(APP)));
    Path lib = jar("lib.jar", Map.of(HELPER, read(HELPER)));
    Path war =
        jar(
            "all.war",
            Map.of(
                "WEB-INF/lib/lib.jar",
                Files.readAllBytes(lib),
                "WEB-INF/classes/" + APP,
                read(APP)));

    assertThat(bytes(scan(app))).containsExactly(OptionalLong.empty());
    assertThat(bytes(scan(app, lib))).containsExactly(OptionalLong.of(40));
    assertThat(bytes(scan(lib, app))).containsExactly(OptionalLong.of(40));
    assertThat(bytes(scan(app, classes.resolve("lib")))).containsExactly(OptionalLong.of(40));
    assertThat(bytes(scan(war))).containsExactly(OptionalLong.of(40));
  }

  /** Two applications in one scan, each of which brings its own version of a library. */
  @Test
  void findsTheLibraryThatIsNearest(@TempDir Path other) throws IOException {
    Path helper = Files.createDirectory(other.resolve("lib")).resolve("Helper.java");
    Files.writeString(helper, HELPER_SOURCE.replace("(5, ", "(7, "));
    Compiler.JAVAC_25.compile(List.of(helper), other);
    byte[] otherHelper = Files.readAllBytes(other.resolve(HELPER));
    Path first = war("first.war", read(HELPER));
    Path second = war("second.war", otherHelper);
    Path ear =
        jar(
            "two.ear",
            new TreeMap<>(
                Map.of("a.war", Files.readAllBytes(first), "b.war", Files.readAllBytes(second))));

    assertThat(bytes(scan(first, second)))
        .containsExactly(OptionalLong.of(40), OptionalLong.of(56));
    assertThat(bytes(scan(second, first)))
        .containsExactly(OptionalLong.of(56), OptionalLong.of(40));
    Path own = jar("own.jar", Map.of(APP, read(APP), HELPER, otherHelper));
    assertThat(bytes(scan(first, own))).containsExactly(OptionalLong.of(40), OptionalLong.of(56));
    assertThat(bytes(scan(ear))).containsExactly(OptionalLong.of(40), OptionalLong.of(56));
  }

  private Path war(String name, byte[] helper) throws IOException {
    byte[] library = jar(Map.of(HELPER, helper));
    return jar(name, Map.of("WEB-INF/lib/lib.jar", library, "WEB-INF/classes/" + APP, read(APP)));
  }

  @Test
  void goesOnAfterJarsThatUnpackToTooMuch() throws IOException {
    Path good = jar("good.jar", Map.of(APP, read(APP)));
    byte[] inner = jar(Map.of("Big.class", new byte[17 << 20], APP, read(APP)));
    Path inJar = jar("in-jar.jar", Map.of("inner.jar", inner));
    byte[] huge = jar(Map.of("huge.jar", new byte[10]));
    headers(
        huge,
        "huge.jar",
        (local, at) ->
            ByteBuffer.wrap(huge)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(at + (local ? 22 : 24), 2304 << 20));
    Path claims = Files.write(folder.resolve("claims.jar"), huge);

    Scan scan = scan(inJar, claims, good);

    assertThat(bytes(scan)).hasSize(2);
    assertThat(scan.skipped())
        .satisfiesExactly(
            one -> {
              assertThat(one.name()).isEqualTo(inJar + "!/inner.jar!/Big.class");
              assertThat(one.reason())
                  .isEqualTo("a class file must have at most 16 MB: it has 17 MB");
            },
            two -> {
              assertThat(two.name()).isEqualTo(claims + "!/huge.jar");
              assertThat(two.reason())
                  .isEqualTo("a jar in a jar must have at most 1024 MB: it has 2304 MB");
            });
  }

  @Test
  void readsJarsThatAreStoredInJarsBehindAScript() throws IOException {
    byte[] inner = jar(Map.of(APP, read(APP)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("#!/bin/sh\n".getBytes(StandardCharsets.UTF_8));
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(outer)) {
      ZipEntry entry = new ZipEntry("BOOT-INF/lib/inner.jar");
      CRC32 crc = new CRC32();
      crc.update(inner);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(inner.length);
      entry.setCrc(crc.getValue());
      zip.putNextEntry(entry);
      zip.write(inner);
      zip.putNextEntry(new ZipEntry(HELPER));
      zip.write(read(HELPER));
    }
    bytes.writeBytes(outer.toByteArray());
    Path boot = Files.write(folder.resolve("boot.jar"), bytes.toByteArray());

    Scan scan = scan(boot);

    assertThat(scan.skipped()).isEmpty();
    assertThat(bytes(scan)).containsExactly(OptionalLong.of(40));
  }

  /** So many that the end of the directory is in the form of 64 bits. */
  @Test
  void readsMoreEntriesThan16BitsCount() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (int i = 0; i < 70_000; i++) {
      entries.put(i + ".txt", new byte[0]);
    }
    entries.put(APP, read(APP));

    assertThat(bytes(scan(jar("many.jar", entries)))).hasSize(1);
  }

  @Test
  void readsAJmodAndTheJdk() throws IOException {
    ClassPath classPath = new ClassPath(List.of());
    classPath.addJdk();

    Scan jdk = Scan.of(classPath);

    assertThat(jdk.skipped()).isEmpty();
    assertThat(jdk.artifacts())
        .filteredOn(artifact -> artifact.name().equals("jrt:/java.base"))
        .singleElement()
        .satisfies(
            base -> {
              assertThat(base.classes()).isGreaterThan(5000);
              assertThat(base.findings())
                  .isNotEmpty()
                  .allSatisfy(
                      finding ->
                          assertThat(finding.place().entry()).startsWith("j").endsWith(".class"));
            });

    ByteArrayOutputStream jmod = new ByteArrayOutputStream();
    jmod.writeBytes(new byte[] {'J', 'M', 1, 0});
    jmod.writeBytes(jar(Map.of("classes/" + APP, read(APP), "classes/" + HELPER, read(HELPER))));
    Path file = Files.write(folder.resolve("app.jmod"), jmod.toByteArray());
    assertThat(bytes(scan(folder))).containsExactly(OptionalLong.of(40));
    assertThat(bytes(scan(file))).containsExactly(OptionalLong.of(40));
  }

  @Test
  void takesAClassFile() {
    Path file = classes.resolve(APP);

    Scan scan = scan(file, classes.resolve(HELPER));

    assertThat(scan.artifacts())
        .extracting(Artifact::name)
        .containsExactly(file.toString(), classes.resolve(HELPER).toString());
    assertThat(bytes(scan)).containsExactly(OptionalLong.of(40));
  }

  @Test
  void takesAJarWithAColonInItsName() throws IOException {
    Path jar = jar("app:1.0.jar", Map.of(APP, read(APP)));
    Path other = jar("other.jar", Map.of(HELPER, read(HELPER)));

    assertThat(bytes(scan(jar))).hasSize(1);
    Path list = Files.writeString(folder.resolve("list"), jar + "\n" + other + "\n");
    assertThat(bytes(scan("@" + list))).containsExactly(OptionalLong.of(40));
  }

  @Test
  void takesNamesInAnyEncoding() throws IOException {
    Path jar =
        Files.write(
            folder.resolve("latin.jar"),
            jar(
                Map.of("M\u00fcller.txt", new byte[1], APP, read(APP), "\u00dc/" + APP, read(APP)),
                StandardCharsets.ISO_8859_1));

    Scan scan = scan(jar);

    assertThat(scan.skipped()).isEmpty();
    assertThat(scan.artifacts().getFirst().findings())
        .extracting(finding -> finding.place().entry())
        .containsExactly(APP, "\u00dc/" + APP);
  }

  /** Tells the places of both headers of an entry, first whether it is the local one. */
  private static void headers(byte[] jar, String entry, BiConsumer<Boolean, Integer> told) {
    ByteBuffer bytes = ByteBuffer.wrap(jar).order(ByteOrder.LITTLE_ENDIAN);
    byte[] name = entry.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < jar.length - 46; at++) {
      int magic = bytes.getInt(at);
      boolean local = magic == 0x04034b50;
      int nameAt = at + (local ? 30 : 46);
      int end = Math.min(jar.length, nameAt + name.length);
      if ((local || magic == 0x02014b50) && Arrays.equals(jar, nameAt, end, name, 0, name.length)) {
        told.accept(local, at);
      }
    }
  }

  @Test
  void namesJarsThatTheJdkDoesNotReadAndReadsTheRest() throws IOException {
    byte[] bytes = jar(Map.of(HELPER, read(HELPER)));
    headers(bytes, HELPER, (local, at) -> bytes[at + (local ? 6 : 8)] |= 1); // encrypted
    Path jar = Files.write(folder.resolve("some.jar"), bytes);
    Path cut = Files.write(folder.resolve("cut.jar"), Arrays.copyOf(bytes, bytes.length - 30));
    Path outer = jar("outer.jar", Map.of("lib/some.jar", bytes, APP, read(APP)));

    Scan scan = scan(jar, cut, outer);

    assertThat(bytes(scan)).hasSize(1);
    assertThat(scan.skipped())
        .extracting(Skipped::name)
        .containsExactly(jar.toString(), cut.toString(), outer + "!/lib/some.jar");
    assertThat(scan.skipped())
        .extracting(Skipped::reason)
        .allMatch(each -> each.startsWith("a jar must be whole, and such as the JDK can read: "));
  }

  @Test
  void givesTheReasonForADamagedClass() throws IOException {
    byte[] whole = read(APP);
    Map<String, byte[]> damaged = new LinkedHashMap<>();
    for (int length = 4; length < whole.length; length++) {
      damaged.put("C" + length + ".class", Arrays.copyOf(whole, length));
    }
    Path jar = jar("damaged.jar", damaged);
    Path sameInFolder = Files.createDirectory(folder.resolve("damaged"));
    for (Map.Entry<String, byte[]> entry : damaged.entrySet()) {
      Files.write(sameInFolder.resolve(entry.getKey()), entry.getValue());
    }

    for (Scan scan : List.of(scan(jar), scan(sameInFolder))) {
      assertThat(scan.skipped()).hasSize(damaged.size());
      assertThat(scan.skipped())
          .allSatisfy(
              one ->
                  assertThat(one.reason())
                      .startsWith("a class file must be whole and valid: ")
                      .doesNotEndWith("Exception")
                      .doesNotEndWith(": "));
    }
  }

  /** A class whose only method runs {@code code} and opens an arena. */
  private static byte[] strange(Consumer<MethodVisitor> code) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V25, 0, "Strange", null, "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
    String arena = "java/lang/foreign/Arena";
    method.visitMethodInsn(Opcodes.INVOKESTATIC, arena, "ofConfined", "()L" + arena + ";", true);
    method.visitInsn(Opcodes.POP);
    code.accept(method);
    method.visitInsn(Opcodes.RETURN);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private void skips(byte[] strange, String reason) throws IOException {
    Path jar = jar("some.jar", Map.of("Strange.class", strange, APP, read(APP)));

    Scan scan = scan(jar);

    assertThat(bytes(scan)).hasSize(1);
    assertThat(scan.skipped())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.name()).isEqualTo(jar + "!/Strange.class");
              assertThat(one.reason())
                  .startsWith("a class file must be whole and valid: ")
                  .contains(reason);
            });
  }

  @Test
  void goesOnAfterAMethodThatWouldTakeAllMemory() throws IOException {
    skips(
        strange(
            method -> {
              for (int i = 0; i < 60_000; i++) {
                method.visitInsn(Opcodes.NOP);
              }
              method.visitMaxs(65_535, 65_535);
            }),
        "instructions times variables of a method must be at most ");
  }

  @Test
  void goesOnAfterATypeThatIsNone() throws IOException {
    skips(
        strange(
            method -> {
              method.visitFieldInsn(Opcodes.GETSTATIC, "Other", "field", "(");
              method.visitMaxs(1, 0);
            }),
        "(AssertionError)");
    Path file = Files.write(folder.resolve("Cut.class"), Arrays.copyOf(read(APP), 20));
    assertThat(scan(file).skipped()).extracting(Skipped::name).containsExactly(file.toString());
  }
}
