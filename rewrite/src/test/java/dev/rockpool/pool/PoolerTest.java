package dev.rockpool.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolerTest {
  private static final Pooler POOLER = new Pooler(List.of(), List.of(), false);
  private static final byte[] TEXT =
      "A text about Arena.ofConfined()".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;
  private Map<String, byte[]> files;
  private Path out;

  @BeforeEach
  void compile() throws IOException {
    Path classes = folder.resolve("classes");
    Programs.compile(classes, Programs.MAIN, Programs.PLAIN, Programs.SERIALIZABLE);
    files = new LinkedHashMap<>();
    files.put(
        "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    files.put("z.txt", TEXT);
    files.putAll(Programs.read(classes));
    files.put("data.bin", TEXT);
    files.put("a/broken.class", TEXT);
    files.put("META-INF/versions/25/app/Main.class", files.get("app/Main.class"));
    out = folder.resolve("out.jar");
  }

  private Path jar() throws IOException {
    return Programs.jar(folder.resolve("app.jar"), files);
  }

  @Test
  void onlyClassesWithCallSitesChange() throws IOException {
    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.summary()).isEqualTo("4 call sites in 2 classes");
    assertThat(result.hasLibrary()).isFalse();
    assertThat(result.skipped())
        .extracting(Object::toString)
        .containsExactly(
            "app/Saved.class: not rewritten, serializable method reference",
            "a/broken.class: not rewritten, it does not start as class files do");
    try (ZipFile before = new ZipFile(folder.resolve("app.jar").toFile());
        ZipFile after = new ZipFile(out.toFile())) {
      Map<String, byte[]> contents = Programs.read(after);
      assertThat(contents.keySet()).containsExactlyElementsOf(files.keySet());
      contents.forEach(
          (name, bytes) -> {
            if (name.endsWith("Main.class")) {
              assertThat(Programs.isPooled(bytes)).as(name).isTrue();
            } else {
              assertThat(bytes).as(name).isEqualTo(files.get(name));
            }
            assertThat(facts(after.getEntry(name))).isEqualTo(facts(before.getEntry(name)));
          });
      assertThat(after.getComment()).isEqualTo("a comment");
    }
    assertValid(out, files.size());
    byte[] once = Files.readAllBytes(out);
    POOLER.rewrite(jar(), out);
    assertThat(out).hasBinaryContent(once);
  }

  private static List<Object> facts(ZipEntry entry) {
    return List.of(
        entry.getTime(), entry.getMethod(), entry.getComment(), List.of(entry.getExtra()).size());
  }

  /** The local headers agree with the directory. */
  private static void assertValid(Path jar, int entries) throws IOException {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    assertThat(
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(nowhere, nowhere, "--validate", "--file", jar.toString()))
        .isZero();
    try (ZipInputStream stream = new ZipInputStream(Files.newInputStream(jar))) {
      int count = 0;
      while (stream.getNextEntry() != null) {
        stream.readAllBytes();
        count++;
      }
      assertThat(count).isEqualTo(entries);
    }
  }

  @Test
  void aJarWithoutCallSitesIsCopiedByteForByte() throws IOException {
    files.keySet().removeIf(name -> name.endsWith("Main.class"));

    assertThat(POOLER.rewrite(jar(), out).classes()).isZero();

    assertThat(out).hasSameBinaryContentAs(folder.resolve("app.jar"));
  }

  @Test
  void aScriptBeforeTheJarStays() throws IOException {
    byte[] script = "#!/bin/sh\nexit 0\n".getBytes(StandardCharsets.UTF_8);
    byte[] plain = Files.readAllBytes(jar());
    Path file = folder.resolve("app.jar");
    Files.write(file, script);
    Files.write(file, plain, StandardOpenOption.APPEND);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

    POOLER.rewrite(file, out);

    assertThat(Files.readAllBytes(out)).startsWith(script);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
        .isEqualTo("rwxr-x---");
    try (ZipFile after = new ZipFile(out.toFile())) {
      assertThat(Programs.isPooled(Programs.read(after).get("app/Main.class"))).isTrue();
    }

    Files.write(file, "MZ and not a script".getBytes(StandardCharsets.UTF_8));
    Files.write(file, plain, StandardOpenOption.APPEND);
    assertThatThrownBy(() -> POOLER.rewrite(file))
        .hasMessageEndingWith("it starts with neither an entry nor a script");
  }

  @Test
  void aModuleReadsTheLibrary() throws IOException {
    Path module = folder.resolve("module");
    Programs.compile(
        module,
        """
        @Deprecated
        open module app { requires java.logging; exports app; uses java.lang.Runnable; }
        """,
        Programs.MAIN);
    files.putAll(Programs.read(module));

    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.notes()).containsExactly("module-info.class: requires dev.rockpool now");
    try (ZipFile after = new ZipFile(out.toFile())) {
      ModuleAttribute attribute =
          ClassFile.of()
              .parse(Programs.read(after).get("module-info.class"))
              .findAttribute(Attributes.module())
              .orElseThrow();
      assertThat(attribute.requires().stream().map(each -> each.requires().name().stringValue()))
          .containsExactlyInAnyOrder("java.base", "java.logging", "dev.rockpool");
      assertThat(attribute.exports()).hasSize(1);
      assertThat(attribute.uses()).hasSize(1);
    }
    assertThat(POOLER.rewrite(out).notes()).isEmpty();
  }

  /** Anybody may name modules and packages so, as GraalVM and test libraries do. */
  @ParameterizedTest
  @ValueSource(strings = {"java.acme", "jdk.acme"})
  void aModuleIsNotTheJdksForItsName(String name) throws IOException {
    Path module = folder.resolve("module");
    Programs.compile(
        module,
        "module " + name + " { exports jdk.acme; }",
        Programs.MAIN.replace("package app", "package jdk.acme"));
    files = Programs.read(module);

    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.callSites()).isEqualTo(2);
    assertThat(result.notes()).containsExactly("module-info.class: requires dev.rockpool now");
  }

  /** A module that required itself could not be resolved. */
  @Test
  void aModuleThatHasTheLibraryInItselfStaysAsItIs() throws IOException {
    Path module = folder.resolve("module");
    Programs.compile(module, "module dev.rockpool { exports app; }", Programs.MAIN);
    files.putAll(Programs.read(module));
    files.put("dev/rockpool/arena/Arenas.class", files.get("app/Main.class"));

    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.classes()).isPositive();
    assertThat(result.hasLibrary()).isTrue();
    assertThat(result.notes()).isEmpty();
  }

  @Test
  void aClassFileWithoutMeasureIsNotUnpacked() throws IOException {
    files.put("a/Bomb.class", new byte[(1 << 24) + 1]);

    assertThat(POOLER.rewrite(jar(), out).skipped())
        .extracting(Object::toString)
        .contains("a/Bomb.class: not rewritten, a class of more than 16 MiB");
  }

  @Test
  void anOutputThatIsNoFileStaysAsItIs() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.jar"), folder.resolve("none"));
    jar();

    assertThatThrownBy(() -> POOLER.rewrite(folder.resolve("app.jar"), link))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("link.jar is a device, a pipe or a broken link");
    assertThat(Files.isSymbolicLink(link)).isTrue();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aProtectedFileStaysAsItIs() throws IOException {
    Path jar = jar();
    Path old = Files.write(folder.resolve("old.jar"), TEXT);
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("r--r--r--"));

    assertThatThrownBy(() -> POOLER.rewrite(jar, old))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The file to replace must be writable: ")
        .hasMessageEndingWith("old.jar is read-only");
    assertThat(old).hasBinaryContent(TEXT);
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("r--r--r--"));
    assertThatThrownBy(() -> POOLER.rewrite(jar)).hasMessageEndingWith("app.jar is read-only");
  }

  @Test
  void anEmptyPathIsRefused() {
    Path empty = Path.of("");

    assertThatThrownBy(() -> POOLER.rewrite(empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The input must be named: its path is empty");
    assertThatThrownBy(() -> POOLER.rewrite(jar(), empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The output must be named");
  }

  /** Only root may give files away. */
  @Test
  @EnabledIfSystemProperty(named = "user.name", matches = "root")
  void aRewrittenFileKeepsItsOwner() throws IOException {
    Path jar = jar();
    Files.setAttribute(jar, "unix:uid", 12345);
    Files.setAttribute(jar, "unix:gid", 54321);

    assertThat(POOLER.rewrite(jar).classes()).isPositive();
    assertThat(Files.readAttributes(jar, "unix:uid,gid"))
        .containsOnly(entry("uid", 12345), entry("gid", 54321));
  }

  @Test
  void jarsInAJarAreRewrittenWhereOneLoaderLoadsAll() throws IOException {
    byte[] inner = Files.readAllBytes(jar());
    files =
        new LinkedHashMap<>(
            Map.of("BOOT-INF/lib/a.jar", inner, "plugins/b.jar", inner, "bad.jar", TEXT));

    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.summary()).isEqualTo("4 call sites in 2 classes");
    assertThat(result.skipped())
        .extracting(Object::toString)
        .contains(
            "BOOT-INF/lib/a.jar!/app/Saved.class: not rewritten, serializable method reference",
            "plugins/b.jar: not rewritten, jar in a jar, outside BOOT-INF/lib and WEB-INF/lib,"
                + " with 4 call sites in 2 classes",
            "bad.jar: not rewritten, it must be a jar that the JDK can read: zip END header not"
                + " found");
    try (ZipFile after = new ZipFile(out.toFile())) {
      Map<String, byte[]> contents = Programs.read(after);
      assertThat(after.getEntry("BOOT-INF/lib/a.jar").getMethod()).isEqualTo(ZipEntry.STORED);
      assertThat(contents.get("plugins/b.jar")).isEqualTo(inner);
      Path extracted = Files.write(folder.resolve("a.jar"), contents.get("BOOT-INF/lib/a.jar"));
      assertValid(extracted, 9);
    }
  }

  @Test
  void aSignedJarIsRefusedUnlessItsSignaturesMayGo() throws Exception {
    Path jar = jar();
    sign(jar);
    byte[] signed = Files.readAllBytes(jar);

    assertThatThrownBy(() -> POOLER.rewrite(jar, out))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(jar + ": it is signed")
        .hasMessageEndingWith("--drop-signatures removes them");
    assertThatThrownBy(() -> POOLER.rewrite(jar)).hasMessageContaining("it is signed");
    assertThat(out).doesNotExist();
    assertThat(jar).hasBinaryContent(signed);

    PoolResult result = new Pooler(List.of(), List.of(), true).rewrite(jar, out);
    assertThat(result.notes()).containsExactly("META-INF: signatures removed");
    try (ZipFile before = new ZipFile(jar.toFile());
        ZipFile after = new ZipFile(out.toFile())) {
      assertThat(before.stream().map(ZipEntry::getName)).contains("META-INF/ME.SF");
      assertThat(after.stream().map(ZipEntry::getName))
          .containsExactlyInAnyOrderElementsOf(files.keySet());
      assertThat(Programs.read(after).get("META-INF/MANIFEST.MF"))
          .isEqualTo(Programs.read(before).get("META-INF/MANIFEST.MF"));
    }

    // Nothing to rewrite, so nothing to drop.
    Pooler none = new Pooler(List.of("nothing.*"), List.of(), true);
    none.rewrite(jar, out);
    assertThat(out).hasBinaryContent(signed);
  }

  private void sign(Path jar) throws Exception {
    Path bin = Path.of(System.getProperty("java.home"), "bin");
    Path store = folder.resolve("keys");
    for (List<String> command :
        List.of(
            List.of("keytool", "-genkeypair", "-alias", "me", "-keyalg", "EC", "-dname", "CN=me"),
            List.of("jarsigner", jar.toString(), "me"))) {
      List<String> all = new ArrayList<>(command);
      all.set(0, bin.resolve(command.getFirst()).toString());
      all.addAll(1, List.of("-keystore", store.toString(), "-storepass", "secret"));
      Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }
  }

  @Test
  void patternsSelectClasses() throws IOException {
    Pooler pooler = new Pooler(List.of("app.*"), List.of("*.Main"), false);

    PoolResult result = pooler.rewrite(jar(), out);

    assertThat(result.classes()).isZero();
    assertThat(result.skipped())
        .extracting(Object::toString)
        .contains("app/Main.class: not rewritten, excluded by options");
    assertThatThrownBy(() -> new Pooler(List.of("a b"), List.of(), false))
        .hasMessage(
            "include must be a class name, * for any characters, ? for one; may be repeated:"
                + " \"a b\"");
  }

  @Test
  void aSecondRunInPlaceWritesNothing() throws IOException {
    for (Path place : List.of(jar(), folder.resolve("classes"))) {
      assertThat(POOLER.rewrite(place).classes()).isPositive();
      Map<Path, FileTime> times = times(place);
      assertThat(POOLER.rewrite(place).classes()).isZero();
      assertThat(times(place)).isEqualTo(times);
    }
  }

  private static Map<Path, FileTime> times(Path place) throws IOException {
    Map<Path, FileTime> times = new LinkedHashMap<>();
    try (Stream<Path> all = Files.walk(place)) {
      for (Path file : all.toList()) {
        times.put(file, Files.getLastModifiedTime(file));
      }
    }
    return times;
  }

  @Test
  void aFolderIsCopiedAndRewritten() throws IOException {
    Path classes = folder.resolve("classes");
    Files.write(classes.resolve("lib.jar"), TEXT);
    Map<String, byte[]> before = Programs.read(classes);

    PoolResult result = POOLER.rewrite(classes, folder.resolve("pooled"));

    assertThat(result.summary()).isEqualTo("2 call sites in 1 class");
    assertThat(result.skipped())
        .extracting(Object::toString)
        .contains("lib.jar: not rewritten, jar in a folder");
    Map<String, byte[]> after = Programs.read(folder.resolve("pooled"));
    assertThat(after.keySet()).isEqualTo(before.keySet());
    assertThat(Programs.isPooled(after.remove("app/Main.class"))).isTrue();
    after.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(before.get(name)));
    assertThat(Programs.isPooled(before.get("app/Main.class"))).isFalse();
  }

  @Test
  void aLinkToAFolderStaysOneAndIsTold() throws IOException {
    Path classes = folder.resolve("classes");
    Files.createSymbolicLink(classes.resolve("link"), classes.resolve("app"));

    PoolResult result = POOLER.rewrite(classes, folder.resolve("pooled"));

    assertThat(result.skipped())
        .extracting(Object::toString)
        .contains("link: not rewritten, link to a folder");
    assertThat(folder.resolve("pooled/link")).isSymbolicLink();
  }

  @Test
  void aFileThatMayNeverEndIsRefused() throws Exception {
    Path pipe = folder.resolve("classes/pipe.jar");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> POOLER.rewrite(folder.resolve("classes"), folder.resolve("pooled")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("files, folders and links only")
        .hasMessageEndingWith("pipe.jar");
    assertThat(folder).isDirectoryNotContaining("glob:**rockpool*");
  }

  @Test
  void jarsAreRewrittenToALimitedDepth() throws IOException {
    byte[] inner = Files.readAllBytes(jar());
    for (int i = 0; i < 5; i++) {
      files = new LinkedHashMap<>(Map.of("BOOT-INF/lib/" + i + ".jar", inner));
      inner = Files.readAllBytes(jar());
    }

    PoolResult result = POOLER.rewrite(jar(), out);

    assertThat(result.skipped())
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .endsWith("0.jar: not rewritten, more than 4 jars in one another");
  }

  @Test
  void aClassFileIsRewritten() throws IOException {
    Path main = folder.resolve("classes/app/Main.class");
    Path copy = folder.resolve("Main.class");

    assertThat(POOLER.rewrite(main, copy).summary()).isEqualTo("2 call sites in 1 class");

    assertThat(Programs.isPooled(Files.readAllBytes(copy))).isTrue();
    assertThat(Programs.isPooled(Files.readAllBytes(main))).isFalse();
  }

  @Test
  void badInputIsRefusedByNameAndNothingIsWritten() throws IOException {
    byte[] good = Files.readAllBytes(jar());
    Map<String, String> refused = new LinkedHashMap<>();
    refused.put("text", "it must be a jar that the JDK can read");
    Files.write(folder.resolve("text"), TEXT);
    refused.put("cut.jar", "it must be a jar that the JDK can read");
    Files.write(folder.resolve("cut.jar"), Arrays.copyOf(good, good.length - 40));
    refused.put("headless.jar", "it must be a jar that the JDK can read");
    Files.write(folder.resolve("headless.jar"), Arrays.copyOfRange(good, 100, good.length));
    refused.put("cut.class", "it is cut short, or damaged");
    byte[] main = files.get("app/Main.class");
    Files.write(folder.resolve("cut.class"), Arrays.copyOf(main, main.length - 200));
    refused.put("none.jar", "there is no ");
    List<Path> before = list();

    refused.forEach(
        (name, reason) ->
            assertThatThrownBy(() -> POOLER.rewrite(folder.resolve(name), out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The input must be a jar, a folder or a class file")
                .hasMessageContaining(name)
                .hasMessageContaining(reason));

    assertThat(list()).isEqualTo(before);
  }

  @Test
  void outputsThatWouldDestroySomethingAreRefused() throws IOException {
    Path jar = jar();
    Path classes = folder.resolve("classes");
    List<Path> before = list();

    assertThatThrownBy(() -> POOLER.rewrite(jar, folder.resolve("classes/../app.jar")))
        .hasMessageStartingWith("The output must not be the input");
    assertThatThrownBy(() -> POOLER.rewrite(jar, classes))
        .hasMessageStartingWith("The output of a file must be a file");
    assertThatThrownBy(() -> POOLER.rewrite(classes, classes.resolve("more")))
        .hasMessageStartingWith("The output must not be in the input");
    assertThatThrownBy(() -> POOLER.rewrite(classes, jar))
        .hasMessageStartingWith("The output of a folder must be a new folder");
    assertThatThrownBy(() -> POOLER.rewrite(jar, folder.resolve("no/out.jar")))
        .hasMessageStartingWith("The output must be in a folder that exists");
    assertThat(list()).isEqualTo(before);
  }

  @Test
  void aDamagedEntryIsNotRewritten() throws IOException {
    byte[] bytes = Files.readAllBytes(jar());
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = 0;
    for (int i = 0; i < 2; i++) { // that of each release
      at = text.indexOf("app/Main.class", at + 1);
      bytes[at + 60] ^= 1;
    }
    Path damaged = Files.write(folder.resolve("damaged.jar"), bytes);

    PoolResult result = POOLER.rewrite(damaged, out);

    assertThat(result.classes()).isZero();
    assertThat(result.skipped()).anyMatch(each -> each.name().equals("app/Main.class"));
    assertThat(out).hasSameBinaryContentAs(damaged);
  }

  private List<Path> list() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted().toList();
    }
  }
}
