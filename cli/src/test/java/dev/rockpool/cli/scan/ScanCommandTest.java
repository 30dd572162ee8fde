package dev.rockpool.cli.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.InThisJvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanCommandTest {
  private static final String CLASS = "shapes/TryWithResources.class";
  private static final String SITE =
      "  at shapes.TryWithResources.run(TryWithResources.java:7)  pooled; confined:"
          + " try-with-resources;";

  @TempDir private static Path shared;

  @TempDir private Path folder;

  private String err = "";

  @BeforeAll
  static void compile() throws IOException {
    compile(
        shared,
        "TryWithResources",
        """
        package shapes;

        import java.lang.foreign.Arena;

        class TryWithResources {
          long run() {
            try (Arena arena = Arena.ofConfined()) {
              return arena.allocate(8).address();
            }
          }
        }
        """);
  }

  /** Compiles a class into {@code classes}, which it returns. */
  private static Path compile(Path classes, String name, String text) throws IOException {
    Path source = Files.createTempDirectory(shared, "source").resolve(name + ".java");
    Files.writeString(source, text);
    Files.createDirectories(classes);
    String[] arguments = {"-g", "-d", classes.toString(), source.toString()};
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
    return classes;
  }

  private static byte[] classFile() throws IOException {
    return Files.readAllBytes(shared.resolve(CLASS));
  }

  private static Path jar(Path file, Map<String, byte[]> entries) throws IOException {
    try (OutputStream stream = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(stream)) {
      for (Map.Entry<String, byte[]> entry : new TreeMap<>(entries).entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    }
    return file;
  }

  /** Returns the output to standard output. */
  private String out(int exitCode, Object... args) {
    Outcome outcome =
        InThisJvm.rockpool(Stream.concat(Stream.of("scan"), Arrays.stream(args)).toArray());
    err = outcome.err();
    assertThat(outcome.exitCode()).as(err).isEqualTo(exitCode);
    return outcome.out();
  }

  @Test
  void scansAFolderOfClasses() {
    assertThat(out(0, "--sites", shared))
        .startsWith(
            """
            1 of 1 place is pooled.
            Scanned 1 class in 1 artifact; 1 of them creates arenas.
            """)
        .containsPattern("artifact +pooled +confined ")
        .contains(shared + "\n" + SITE + " 8 bytes\n");
  }

  @Test
  void addsUpArtifacts() throws IOException {
    Path two =
        jar(
            folder.resolve("two.jar"),
            Map.of(CLASS, classFile(), "META-INF/versions/26/" + CLASS, classFile()));
    Path classes = never("class Empty { Object a = java.lang.foreign.Arena.ofAuto(); } ");

    String out = out(0, two, shared, classes);

    assertThat(out)
        .startsWith(
            """
            4 of 5 places are pooled; 1 isn't confined.
            Scanned 5 classes in 3 artifacts; 3 of them create arenas.
            """)
        .containsPattern("\\ntotal +4 +4 ");
    assertThat(
            out(
                0,
                shared,
                compiled(
                    "Sized",
                    "class Sized { void run(int n)"
                        + " { java.lang.foreign.Arena.ofConfined().allocate(n); } }")))
        .startsWith(
            "2 of 2 places are pooled (1 of them only up to 512 bytes).\nScanned 2 classes");
  }

  @Test
  void scansJarsInJars() throws IOException {
    byte[] inner = Files.readAllBytes(jar(folder.resolve("inner.jar"), Map.of(CLASS, classFile())));
    Path boot =
        jar(
            folder.resolve("boot.jar"),
            Map.of("BOOT-INF/lib/inner.jar", inner, "BOOT-INF/classes/" + CLASS, classFile()));
    Path ear = jar(folder.resolve("all.ear"), Map.of("boot.war", Files.readAllBytes(boot)));
    Files.delete(folder.resolve("inner.jar"));

    assertThat(out(0, "--sites", boot))
        .contains("Scanned 2 classes in 2 artifacts; 2 of them create arenas.")
        .contains(boot + "\n" + SITE)
        .contains(boot + "!/BOOT-INF/lib/inner.jar\n" + SITE)
        .containsPattern("boot.jar!/inner.jar +1 +1 ");
    assertThat(out(0, "--sites", ear))
        .contains(ear + "!/boot.war!/BOOT-INF/lib/inner.jar\n" + SITE);
  }

  @Test
  void countsEachReleaseOfAMultiReleaseJar() throws IOException {
    Path jar =
        jar(
            folder.resolve("multi.jar"),
            Map.of(CLASS, classFile(), "META-INF/versions/26/" + CLASS, classFile()));

    assertThat(out(0, "--sites", jar))
        .contains(SITE + " 8 bytes\n")
        .contains(SITE + " from Java 26 on; 8 bytes\n")
        .containsPattern("multi.jar +2 +2 ");
  }

  @Test
  void takesClassPathsAndFilesOfThem() throws IOException {
    Path jar = jar(folder.resolve("one.jar"), Map.of(CLASS, classFile()));
    String classPath = String.join(File.pathSeparator, shared.toString(), "", jar.toString());

    assertThat(out(0, classPath)).contains("2 artifacts").doesNotContain("Skipped");
    Path list = Files.writeString(folder.resolve("list"), "\n" + jar + "\n  " + shared + "\n");
    assertThat(out(0, "@" + list)).contains("2 artifacts");
    assertThat(out(0, folder + "/*")).contains("1 artifact;");
    assertThat(out(0, jar, jar)).contains("1 artifact;");
    assertThat(out(0, jar + File.pathSeparator + "no-such.jar"))
        .contains("Skipped, because these can't be read:\n  no-such.jar: there is no such file\n");
  }

  @Test
  void namesWhatItCannotReadAndGoesOn() throws IOException {
    byte[] whole = classFile();
    byte[] newer = whole.clone();
    newer[6] = 1; // class file version 256 and more
    byte[] cut = Arrays.copyOf(whole, whole.length - 200);
    Path jar =
        jar(
            folder.resolve("some.jar"),
            Map.of(
                "Text.class",
                "text".getBytes(StandardCharsets.UTF_8),
                "Newer.class",
                newer,
                "Cut.class",
                cut,
                CLASS,
                whole));
    Path broken = Files.writeString(folder.resolve("broken.jar"), "not a jar");

    assertThat(out(1, jar, broken))
        .containsPattern("some.jar +1 +1 ")
        .contains("  " + jar + "!/Text.class: a class file starts with CAFEBABE: it does not\n")
        .contains("  " + jar + "!/Newer.class: a class file must be of a version that is known: ")
        .contains("  " + jar + "!/Cut.class: a class file must be whole and valid: ")
        .contains("  " + broken + ": a jar must be whole, and such as the JDK can read: ");
  }

  @Test
  void namesAFewOfManyThatItCannotReadForTheSameReason() throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    for (int i = 0; i < 5000; i++) {
      entries.put("C" + i + ".class", Arrays.copyOf(classFile(), 12));
      entries.put("D" + i + ".class", new byte[5]);
    }

    String out = out(1, jar(folder.resolve("bad.jar"), entries));

    assertThat(out.lines().count()).isLessThan(20);
    assertThat(out)
        .contains(
            "  and 4997 more like it: a class file must be whole and valid:",
            "  and 4997 more like it: a class file starts with CAFEBABE: it does not\n");
  }

  /** A class with an arena that is never closed, at a line of its own. */
  private Path never(String before) throws IOException {
    return compile(
        folder.resolve("classes"),
        "Never",
        before
            + "class Never { long run() { return java.lang.foreign.Arena.ofConfined().allocate(8)"
            + ".address(); } }");
  }

  @Test
  void failsOnConditionsThatAreNotKnown() throws IOException {
    Path known = folder.resolve("known.txt");
    Path sarif = folder.resolve("scan.sarif");
    Path classes = never("");

    assertThat(out(3, "--fail-on", "escape,never", classes))
        .endsWith(
            "\nFailed, as --fail-on says:\n"
                + "  at Never.run(Never.java:1)  never\n"
                + "  never: the method does not close the arena; another may\n"
                + "Fix them, or accept them: --write-baseline FILE, then --baseline FILE.\n");
    out(0, "--fail-on", "escape", "--fail-on", "some", classes);
    assertThat(out(0, "--fail-on", "never", "--write-baseline", known, classes))
        .endsWith("\nAccepted all places that there are now: wrote " + known + "\n");
    assertThat(Files.readString(known)).endsWith("\nnever\tNever\trun\tconfined\t1\n");
    never("\n\n");
    assertThat(out(0, "--fail-on", "never", "--baseline", known, "--sarif", sarif, classes))
        .doesNotContain("Failed")
        .endsWith("\nMeet --fail-on, and are accepted by the baseline: 1\n");
    assertThat(Files.readString(sarif)).contains("\"unchanged\"", "\"startLine\": 3");
    assertThat(out(3, "--fail-on", "never", "--baseline", known, shared, classes, never2()))
        .contains("Never2.run");
  }

  private Path never2() throws IOException {
    return compiled(
        "Never2",
        "class Never2 { Object run() { return java.lang.foreign.Arena.ofConfined().scope(); } }");
  }

  private Path compiled(String name, String text) throws IOException {
    return compile(folder.resolve(name), name, text);
  }

  @Test
  void refusesConditionsAndBaselinesThatAreNone() throws IOException {
    assertThat(out(2, "--fail-on", "ever", shared)).isEmpty();
    assertThat(err).contains("must be one of [never, some, escape, large]: 'ever'");
    Path file = Files.writeString(folder.resolve("some.txt"), "some text");
    assertThat(out(1, "--baseline", file, shared)).isEmpty();
    assertThat(err).contains("--baseline FILE must be one that --write-baseline wrote: " + file);
    Path gone = folder.resolve("gone.txt");
    assertThat(out(1, "--baseline", gone, shared)).isEmpty();
    assertThat(err).contains("--baseline FILE must exist: there is no " + gone);
  }

  @Test
  void writesCsv() throws IOException {
    Path file = folder.resolve("scan.csv");

    out(0, "--csv", file, shared);

    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(Files.readString(file)).contains(",TryWithResources.java,7,confined,pooled,");
  }

  @Test
  void scansTheJdk() {
    assertThat(out(0, "--jdk"))
        .startsWith("0 of ")
        .contains(" are the JDK's own.\n")
        .containsPattern("\njrt:/java.base +0 +[1-9]");
  }

  @Test
  void failsIfThereIsNothingToScan() throws IOException {
    assertThat(out(1, folder)).contains("Scanned 0 classes");
    assertThat(err).contains("There must be something to scan");
  }

  @Test
  void writesJson() throws IOException {
    Path file = folder.resolve("scan.json");

    out(0, "--json", file, shared);

    JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    assertThat(json.get("format").getAsInt()).isEqualTo(1);
    JsonObject confined = json.getAsJsonObject("total").getAsJsonObject("confined");
    assertThat(confined.getAsJsonObject("closing").get("try_with_resources").getAsInt())
        .isEqualTo(1);
    assertThat(confined.getAsJsonObject("bytes").get("up_to_8").getAsInt()).isEqualTo(1);
    JsonObject site =
        json.getAsJsonArray("artifacts")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("sites")
            .get(0)
            .getAsJsonObject();
    assertThat(site.get("source").getAsString()).isEqualTo("TryWithResources.java");
    assertThat(site.get("line").getAsInt()).isEqualTo(7);
    assertThat(site.get("bytes").getAsInt()).isEqualTo(8);
    assertThat(site.get("pooling").getAsString()).isEqualTo("pooled");
    assertThat(site.get("release").isJsonNull()).isTrue();
  }

  @Test
  void writesAPageThatNeedsNothingElse() throws IOException {
    Path file = folder.resolve("scan.html");
    Path strange = folder.resolve("a<b&c.jar");
    jar(strange, Map.of(CLASS, classFile()));

    out(0, "--html", file, strange);

    assertThat(Files.readString(file))
        .contains("<title>Rockpool scan</title>", "a&lt;b&amp;c.jar", "TryWithResources.java:7")
        .doesNotContain("a<b&c", "Sample text", "<script src=");
  }
}
