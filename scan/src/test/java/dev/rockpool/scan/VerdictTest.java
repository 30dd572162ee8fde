package dev.rockpool.scan;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTest {
  private static final Set<Condition> ALL = EnumSet.allOf(Condition.class);

  @TempDir private Path folder;

  /** A scan of a class with this body. */
  private Scan scan(String body) throws IOException {
    Path source = folder.resolve("Some.java");
    Files.writeString(
        source, "package p;\nimport java.lang.foreign.*;\npublic class Some {\n" + body + "\n}\n");
    Path classes = Files.createTempDirectory(folder, "classes");
    Compiler.JAVAC_25.compile(List.of(source), classes);
    return Scan.of(new ClassPath(List.of(classes.toString())));
  }

  private static final String TWO =
      """
      long never() { return Arena.ofConfined().allocate(8).address(); }
      Arena escapes() { return Arena.ofConfined(); }
      long large() { try (Arena a = Arena.ofConfined()) { return a.allocate(513).address(); } }
      long pooled() { try (Arena a = Arena.ofConfined()) { return a.allocate(512).address(); } }
      long fits(int n) { try (Arena a = Arena.ofConfined()) { return a.allocate(n).address(); } }
      void nothing() { try (Arena a = Arena.ofConfined()) { a.scope(); } }
      void shared() { try (Arena a = Arena.ofShared()) { a.allocate(8); } }
      Arena auto() { return Arena.ofAuto(); }
      """;

  @Test
  void saysWhatTheAgentPools() throws IOException {
    assertThat(new Verdict(scan(TWO), Set.of(), Baseline.EMPTY).sites())
        .extracting(Verdict.Site::pooling)
        .containsExactly(
            Pooling.POOLED,
            Pooling.AS_FAR_AS_IT_FITS,
            Pooling.TOO_LARGE,
            Pooling.POOLED,
            Pooling.AS_FAR_AS_IT_FITS,
            Pooling.NOTHING,
            Pooling.NOT_CONFINED,
            Pooling.NOT_CONFINED);
    ClassPath jdk = new ClassPath(List.of());
    jdk.addJdk();
    assertThat(new Verdict(Scan.of(jdk), Set.of(), Baseline.EMPTY).sites())
        .isNotEmpty()
        .allMatch(site -> site.pooling() == Pooling.OF_THE_JDK);
  }

  @Test
  void failsOnWhatIsUnwantedAndNotKnown() throws IOException {
    Scan scan = scan(TWO);

    assertThat(new Verdict(scan, Set.of(), Baseline.EMPTY).failures()).isEmpty();
    assertThat(new Verdict(scan, ALL, Baseline.EMPTY).failures())
        .extracting(site -> site.finding().place().method())
        .containsExactly("never", "escapes", "large");
    assertThat(new Verdict(scan, Set.of(Condition.NEVER, Condition.ESCAPE), Baseline.EMPTY))
        .extracting(Verdict::failureLines, InstanceOfAssertFactories.list(String.class))
        .containsExactly(
            "  at p.Some.never(Some.java:4)  never",
            "  at p.Some.escapes(Some.java:5)  never, escape",
            "  never: the method does not close the arena; another may",
            "  escape: the open arena is returned, stored or captured");
  }

  /** Each condition alone, by a method that meets it and one that comes near. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "some   | void m() { Arena a = Arena.ofConfined(); a.allocate(n); a.close(); }",
        "''     | void m() { Arena a = Arena.ofConfined(); try { a.allocate(n); } finally {"
            + " a.close(); } }",
        "never escape | void m() { kept = Arena.ofShared(); }",
        "escape | Runnable m() { try (Arena a = Arena.ofShared()) { return () -> a.allocate(n); }"
            + " }",
        "never  | void m() { Arena.ofShared().allocate(n); }",
        "''     | Arena m() { return Arena.ofAuto(); }",
      })
  void tellsWhichConditionsAPlaceMeets(String expected, String method) throws IOException {
    Scan scan = scan("int n; Arena kept; " + method);

    assertThat(new Verdict(scan, ALL, Baseline.EMPTY).sites())
        .singleElement()
        .extracting(site -> site.conditions().stream().map(Condition::label).collect(joining(" ")))
        .isEqualTo(expected.replace("''", ""));
  }

  @Test
  void knowsPlacesWhoseLinesMoved() throws IOException {
    Baseline baseline = Baseline.of(scan(TWO));
    Baseline read = Baseline.parse(baseline.text());
    Scan moved = scan("\n\n  int before;\n" + TWO);
    Scan more = scan(TWO + "Arena escapes(int i) { return Arena.ofConfined(); }");
    Scan worse =
        scan(
            TWO.replace("void nothing() { try (", "void nothing() { (")
                .replace("(Arena a = Arena.ofConfined()) { a.scope(); } }", "Arena.ofConfined(); }")
                .replace("{ (Arena", "{ Arena"));

    assertThat(read.text())
        .isEqualTo(
            """
            # Rockpool scan baseline: condition, class, method, kind, ordinal
            escape\tp.Some\tescapes\tconfined\t1
            large\tp.Some\tlarge\tconfined\t1
            never\tp.Some\tescapes\tconfined\t1
            never\tp.Some\tnever\tconfined\t1
            """);
    assertThat(new Verdict(moved, ALL, read).failures()).isEmpty();
    assertThat(new Verdict(more, ALL, read).failures())
        .extracting(Verdict.Site::key)
        .containsOnly("p.Some\tescapes\tconfined\t2");
    assertThat(new Verdict(worse, ALL, read).failures())
        .extracting(Verdict.Site::key)
        .containsExactly("p.Some\tnothing\tconfined\t1");
  }

  @Test
  void refusesWhatIsNoBaseline() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Baseline.parse("never p.Some"))
        .withMessageContaining("5 words with tabs in between: it is \"never p.Some\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Baseline.parse("ever\tp.Some\trun\tconfined\t1"))
        .withMessage("A condition must be one of never, some, escape, large: it is ever");
  }

  @Test
  void writesSarifThatFollowsItsSchema() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.jar"), "not a jar");
    Files.writeString(folder.resolve("broken.class"), "no class");
    Scan classes = scan(TWO);
    Scan rest = Scan.of(new ClassPath(List.of(broken.toString(), folder + "/broken.class")));
    Scan scan = new Scan(classes.artifacts(), rest.skipped());
    Baseline baseline = Baseline.of(scan);

    Schema schema;
    try (InputStream text =
        ClassLoader.getSystemResourceAsStream("schema/sarif-schema-2.1.0.json")) {
      schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(text);
    }
    for (Verdict verdict :
        List.of(
            new Verdict(scan, Set.of(Condition.NEVER), Baseline.EMPTY),
            new Verdict(scan, ALL, baseline),
            new Verdict(new Scan(List.of(), List.of()), ALL, Baseline.EMPTY))) {
      String sarif = verdict.sarif("1.2.3");
      assertThat(schema.validate(sarif, InputFormat.JSON)).isEmpty();
      assertThat(schema.validate(sarif.replace("2.1.0\",", "2.2\","), InputFormat.JSON))
          .isNotEmpty();
    }

    JsonObject run =
        JsonParser.parseString(new Verdict(scan, ALL, baseline).sarif("1.2.3"))
            .getAsJsonObject()
            .getAsJsonArray("runs")
            .get(0)
            .getAsJsonObject();
    assertThat(run.getAsJsonArray("results")).hasSize(4);
    JsonObject first = run.getAsJsonArray("results").get(0).getAsJsonObject();
    assertThat(first.get("level").getAsString()).isEqualTo("error");
    assertThat(first.get("baselineState").getAsString()).isEqualTo("unchanged");
    assertThat(first.getAsJsonArray("locations").toString())
        .contains("\"uri\":\"p/Some.java\"", "\"startLine\":4", "\"p.Some.never\"");
    JsonObject invocation = run.getAsJsonArray("invocations").get(0).getAsJsonObject();
    assertThat(invocation.get("executionSuccessful").getAsBoolean()).isFalse();
    assertThat(invocation.getAsJsonArray("toolExecutionNotifications")).hasSize(2);
  }

  @Test
  void writesCsv() throws IOException {
    String[] lines = new Verdict(scan(TWO), Set.of(), Baseline.EMPTY).csv().split("\r\n");

    assertThat(lines).hasSize(9).allMatch(line -> line.split(",", -1).length == 15);
    assertThat(lines[0]).startsWith("artifact,entry,release,class,method,source,line,kind,");
    assertThat(lines[2])
        .endsWith(
            "p/Some.class,,p.Some,escapes,Some.java,5,confined,as_far_as_it_fits,never,"
                + "returned,false,false,,never escape");
    assertThat(csvOfAnArtifact("a,\"b\".jar")).contains("\r\n\"a,\"\"b\"\".jar\",p/Some");
    assertThat(csvOfAnArtifact("a\n\u001b[31m.jar")).contains("\r\na??[31m.jar,p/Some");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", "+", "@", "-"})
  void aCellOfCsvIsNoFormula(String first) throws IOException {
    assertThat(csvOfAnArtifact(first + "1.jar")).contains("\r\n'" + first + "1.jar,p/Some");
  }

  private String csvOfAnArtifact(String name) throws IOException {
    Scan scan =
        new Scan(
            scan(TWO).artifacts().stream()
                .map(artifact -> new Scan.Artifact(name, 1, artifact.findings()))
                .toList(),
            List.of());
    return new Verdict(scan, Set.of(), Baseline.EMPTY).csv();
  }

  @Test
  void groupsWhatWasSkippedByReason() throws IOException {
    for (int i = 0; i < 20; i++) {
      Files.write(folder.resolve("C" + i + ".class"), new byte[i]);
    }
    Files.writeString(folder.resolve("broken.jar"), "not a jar");

    Scan scan = Scan.of(new ClassPath(List.of(folder.toString())));

    assertThat(scan.skipped()).hasSize(21);
    assertThat(scan.isComplete()).isFalse();
    assertThat(scan.skippedByReason()).extracting(List::size).containsExactly(1, 20);
    assertThat(Scan.of(new ClassPath(List.of("gone.jar:gone"))).isComplete()).isTrue();
  }

  /** Kotlin gives inlined code lines beyond the end of the file that it is inlined into. */
  @Test
  void namesTheFileAndLineThatInlinedCodeIsFrom() throws IOException {
    Path library = Files.createDirectory(folder.resolve("library"));
    Path sources = Files.createDirectory(folder.resolve("sources"));
    Files.writeString(
        library.resolve("Lib.kt"),
        """
        package some.library

        import java.lang.foreign.Arena

        inline fun <T> withArena(body: (Arena) -> T): T {
            // Line 7 follows.
            val arena = Arena.ofConfined()
            arena.allocate(4)
            return body(arena)
        }
        """);
    Files.writeString(
        sources.resolve("Use.kt"),
        """
        package app

        import some.library.withArena

        class Use {
            fun run(): Long =
                withArena {
                    it.allocate(8).address()
                }
        }
        """);
    Path classes = Files.createDirectory(folder.resolve("kotlin"));
    Compiler.KOTLIN.compile(List.of(library, sources), classes);

    Scan scan = Scan.of(new ClassPath(List.of(classes.resolve("app").toString())));

    Verdict verdict = new Verdict(scan, ALL, Baseline.EMPTY);
    assertThat(verdict.failureLines()).contains("  at app.Use.run(Lib.kt:7)  never");
    assertThat(verdict.sarif("1.2.3"))
        .contains("\"uri\": \"some/library/Lib.kt\"", "\"startLine\": 7");
    assertThat(scan.artifacts().getFirst().findings().getFirst().requests())
        .extracting(Finding.Request::line)
        .containsExactly(8, -1);
  }
}
