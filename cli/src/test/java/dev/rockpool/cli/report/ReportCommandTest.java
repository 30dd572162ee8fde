package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.InThisJvm;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.HolderStack;
import dev.rockpool.cli.report.recording.Recorded.ProcessMemory;
import dev.rockpool.cli.report.recording.Recorded.ProcessPart;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  @TempDir private static Path shared;
  private static Path sample;

  @TempDir private Path folder;

  private String out = "";
  private String err = "";

  @BeforeAll
  static void record() throws IOException {
    sample = Samples.record(shared.resolve("sample.jfr"));
  }

  private int report(Object... args) {
    List<Object> all = new ArrayList<>(List.of(args));
    all.add("--no-calibration");
    return run(all.toArray());
  }

  private int run(Object... args) {
    List<Object> all = new ArrayList<>(List.of(args));
    all.addFirst("report");
    Outcome outcome = InThisJvm.rockpool(all.toArray());
    out = outcome.out();
    err = outcome.err();
    return outcome.exitCode();
  }

  @Test
  void writesAPageThatNeedsNothingElse() throws IOException {
    Path page = folder.resolve("page.html");

    assertThat(report("-o", page, sample)).isZero();

    assertThat(err).isEmpty();
    assertThat(out)
        .startsWith("Process: ")
        .contains("\nPooling: not measured, because --no-calibration was given: ")
        .contains("Merged 1 recording of 1 JVM: 10,401 confined arenas closed in ")
        .containsPattern("8-15 +5,300 +51\\.0 % ")
        .endsWith("The page: " + page + "\n");
    assertThat(Files.readString(page))
        .contains("<title>Rockpool report</title>", "style=\"--share: ")
        .contains("NativeBindings$Generated$0x0001&lt;a&amp;b&gt;")
        .contains("<strong class=\"neither\">Pooling:</strong> not measured, because ")
        .doesNotContain("<a&b>", "Sample text", "<script src=", "Skipped")
        .doesNotContainPattern("(src|href)=\"(http|//)");
  }

  @Test
  void writesJson() throws IOException {
    Path file = folder.resolve("report.json");

    assertThat(report("-o", folder.resolve("p.html"), "--json", file, sample)).isZero();

    JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    assertThat(json.get("format").getAsInt()).isEqualTo(8);
    JsonObject all = json.getAsJsonObject("all");
    assertThat(all.get("arenas").getAsLong()).isEqualTo(10_401);
    assertThat(all.getAsJsonObject("totals").get("50").getAsLong()).isEqualTo(120);
    assertThat(json.get("gain").isJsonNull()).isTrue();
    assertThat(json.getAsJsonObject("verdict").keySet())
        .containsExactly("process", "cCode", "leaks", "tone", "notSeen", "pooling");
    JsonObject site = json.getAsJsonArray("sites").get(0).getAsJsonObject();
    assertThat(site.get("site").getAsString()).isEqualTo("org.example.Handles");
    assertThat(site.getAsJsonObject("totals").get("8").getAsLong()).isEqualTo(5000);
    assertThat(json.getAsJsonArray("notes")).isEmpty();
  }

  @Test
  void namesWhatItSkipsAndReportsTheRest() throws IOException {
    Path page = folder.resolve("page.html");
    byte[] whole = Files.readAllBytes(sample);
    Path cut = Files.write(folder.resolve("cut.jfr"), Arrays.copyOf(whole, whole.length / 2));
    Path empty = Files.createFile(folder.resolve("empty.jfr"));
    Path text = Files.writeString(folder.resolve("text.jfr"), "text");
    Path missing = folder.resolve("missing.jfr");

    assertThat(report("-o", page, cut, empty, sample, text, missing)).isEqualTo(1);

    assertThat(out).contains("Merged 1 recording of 1 JVM: 10,401 confined", "Skipped 4");
    assertThat(err.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("rockpool: skipped " + cut + ": it is cut off at"),
            line -> assertThat(line).isEqualTo("rockpool: skipped " + empty + ": it is empty"),
            line -> assertThat(line).contains(text + ": it is no recording of JDK Flight"),
            line -> assertThat(line).contains(missing + ": there is no such file"));
    assertThat(Files.readString(page))
        .contains("not used, or not whole", "text.jfr", "it is empty");
  }

  @Test
  void tellsThatItReadAFilePartly() throws IOException {
    byte[] whole = Files.readAllBytes(sample);
    byte[] more = Arrays.copyOf(whole, whole.length + 70);
    System.arraycopy(whole, 0, more, whole.length, 70);
    Path cut = Files.write(folder.resolve("cut.jfr"), more);
    Path page = folder.resolve("page.html");

    assertThat(report("-o", page, cut)).isEqualTo(1);

    assertThat(out).contains(" 10,401 confined arenas ", " Of 1 file the end is lost.");
    assertThat(err)
        .startsWith("rockpool: partly read " + cut + ": it is cut off at byte " + more.length)
        .endsWith("; of it was read what comes before\n");
    assertThat(Files.readString(page)).contains("partly read");
  }

  @Test
  void countsTheSameRecordingOnce() {
    assertThat(report("-o", folder.resolve("p.html"), sample, sample)).isZero();
    assertThat(out).contains(" 10,401 confined arenas ");
    assertThat(err).contains("rockpool: counted once " + sample + ": all of it is known already");
  }

  @Test
  void writesNothingIfThereIsNothingToReport() throws IOException {
    Path page = Files.writeString(folder.resolve("page.html"), "of last week");
    assertThat(report("-o", page, Files.createFile(folder.resolve("empty.jfr")))).isEqualTo(1);
    assertThat(err).contains("There must be a recording with arenas: none of 1 file could be used");
    assertThat(page).hasContent("of last week");
  }

  @Test
  void reportsAJvmWithoutArenas() throws IOException {
    Path idle = Recorded.record(folder.resolve("idle.jfr"), new RecorderSettings());
    assertThat(run("-o", folder.resolve("p.html"), idle)).isZero();
    assertThat(out).contains(": 0 confined arenas closed");
  }

  @Test
  void looksAtTheFilesToWriteFirst() {
    Path nowhere = folder.resolve("no/such/page.html");
    assertThat(report("-o", nowhere, sample)).isEqualTo(1);
    assertThat(err).contains("The file for HTML must be in a folder that exists");
    assertThat(report("-o", folder.resolve("p.html"), "--json", nowhere, sample)).isEqualTo(1);
    assertThat(err).contains("The file for JSON must be in a folder that exists");
    assertThat(out).isEmpty();
    assertThat(report()).isEqualTo(2);
  }

  /** Nanoseconds of another JDK would be none of the program's. */
  @Test
  void measuresNothingOnAnotherJdkThanTheRecorded() throws IOException {
    RecorderSettings settings = new RecorderSettings();
    settings.jdk = "99.0.1+2";
    Path file =
        Recorded.record(
            folder.resolve("other.jfr"),
            settings,
            Recorded.histogram("platform", Collections.nCopies(5000, Recorded.Arena.of(8))));
    assertThat(run("-o", folder.resolve("p.html"), file)).isEqualTo(1);
    assertThat(out)
        .contains(
            "Pooling: not measured, because it was recorded on JDK 99.0.1+2, and this is "
                + Runtime.version(),
            "--jdk HOME");
  }

  @Test
  void reportsTheRestWhereTheCalibrationFails() throws IOException {
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho too old >&2\nexit 3\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Path page = folder.resolve("p.html");

    assertThat(run("--jdk", folder.resolve("jdk"), "-o", page, sample)).isEqualTo(1);

    assertThat(err)
        .contains(
            "rockpool: not measured: The calibration failed without the agent, with exit code 3")
        .contains("too old");
    assertThat(out)
        .contains("not measured, because the calibration failed: ", "10,401 confined arenas");
    assertThat(page).isNotEmptyFile();
  }

  @Test
  void namesTheOriginOfFigures() throws IOException {
    Path json = folder.resolve("report.json");
    Path page = folder.resolve("page.html");
    String program = System.getProperty("sun.java.command").split(" ")[0];

    assertThat(report("-o", page, "--json", json, sample)).isZero();

    assertThat(out)
        .containsPattern(
            sample + ": 20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ, [\\d.]+ m?s; program ")
        .contains(
            "; program " + program + "; arguments ",
            "; jdk " + Runtime.version() + "; ",
            "; host Linux 6 amd64");
    assertThat(Files.readString(page)).contains("<dt>program</dt><dd>" + program + "</dd>");
    JsonObject source =
        JsonParser.parseString(Files.readString(json))
            .getAsJsonObject()
            .getAsJsonArray("sources")
            .get(0)
            .getAsJsonObject();
    assertThat(source.get("file").getAsString()).isEqualTo(sample.toString());
    assertThat(source.get("nanos").getAsLong()).isPositive();
    assertThat(source.get("rockpool").getAsString()).isEqualTo("0.1.0");

    Path old =
        Recorded.recordAnonymously(
            folder.resolve("old.jfr"),
            Recorded.histogram("platform", List.of(Recorded.Arena.of(8))));
    assertThat(report("-o", page, "--json", json, old)).isZero();
    assertThat(Files.readString(json)).doesNotContain("\"program\"", "\"host\"");

    assertThat(report("--compare", "-o", page, sample, old)).isZero();
    assertThat(out).contains(sample + ": 20", old + ": 20");
    assertThat(Files.readString(page)).contains("<dd>" + program + "</dd>", "old.jfr");
  }

  /** The words of tables and sentences are those of the documentation. */
  @Test
  void leadsFromWordsToTheirMeanings() throws IOException {
    HolderSite leaking = new HolderSite("shared", "a.Cache.load:10", 20, 10, 7);
    Path file = Recorded.record(folder.resolve("a.jfr"), new RecorderSettings(), leaking);
    Path page = folder.resolve("page.html");

    assertThat(report("-o", page, file)).isZero();

    String html = Files.readString(page);
    assertThat(html)
        .contains(
            "<th scope=\"col\"><a href=\"#meaning-live-bytes\">live bytes</a></th>",
            "<p><a href=\"#meaning-Leak\">Leak:</a> shared a.Cache.load:10: 7 arenas with ")
        .containsPattern("<span id=\"meaning-live-bytes\">live bytes</span></dt><dd>what is open");
    assertThat(Pattern.compile("href=\"#([^\"]+)\"").matcher(html).results())
        .allSatisfy(link -> assertThat(html).contains(" id=\"" + link.group(1) + "\""));
  }

  /** Stacks are of a sample, and stand for all that their site holds. */
  @Test
  void writesFoldedStacks() throws IOException {
    Path file =
        Recorded.record(
            folder.resolve("a.jfr"),
            new RecorderSettings(),
            new HolderSite("shared", "a.Cache.load:10", 20, 11, 0),
            new HolderStack("shared", "a.Cache.load:10", "a.Cache.load:10\na.Main.main:3", 2),
            new HolderStack("shared", "a.Cache.load:10", "a.Cache.load:10\na.Main;warm:9", 1),
            new HolderSite("direct", "a.Fresh.buffer:3", 4, 4, 0),
            new HolderSite("confined", "a.Call.one:5", 1000, 0, 0));
    Path folded = folder.resolve("folded.txt");

    assertThat(report("-o", folder.resolve("p.html"), "--folded", folded, file)).isZero();

    assertThat(folded)
        .hasContent(
            """
            shared;a.Main.main:3;a.Cache.load:10 733
            shared;a.Main?warm:9;a.Cache.load:10 367
            direct;a.Fresh.buffer:3 400
            """);
    assertThat(report("--compare", "--folded", folded, file, file)).isEqualTo(2);
    assertThat(err).contains("--folded is of one report: leave out --compare");
    assertThat(report("--folded", folder.resolve("no/file"), file)).isEqualTo(1);
    assertThat(err).contains("The file for folded stacks must be in a folder that exists");
  }

  @Test
  void comparesTwoRecordings() throws IOException {
    Path before =
        Recorded.record(
            folder.resolve("before.jfr"),
            new RecorderSettings(),
            new HolderSite("shared", "a.Cache.load:10", 20, 10, 0),
            new HolderSite("confined", "a.Gone.by:1", 500, 0, 0),
            new HolderSite("confined", "a.Call.one:5", 1000, 0, 0));
    Path after =
        Recorded.record(
            folder.resolve("after.jfr"),
            new RecorderSettings(),
            new HolderSite("shared", "a.Cache.load:12", 1020, 1010, 7),
            new HolderSite("direct", "a.Fresh.buffer:3", 4, 4, 0),
            new HolderSite("confined", "a.Call.one:6", 1000, 0, 0));
    Path page = folder.resolve("page.html");
    Path json = folder.resolve("both.json");

    assertThat(report("--compare", "-o", page, "--json", json, before, after)).isZero();

    assertThat(out)
        .startsWith(
            "Worse: leaks in b only: shared a.Cache.load; live bytes at that time 1,000 B ->"
                + " 101,000 B; mapped, or freed by a collection, at most 0 B -> 400 B.\n"
                + "New in b: direct a.Fresh.buffer; gone: confined a.Gone.by.\n")
        .containsPattern(
            "shared a.Cache.load +1,000 -> 101,000 \\(\\+100,000\\) +20\\.0 -> 1,020\\.0"
                + " \\(\\+1,000\\.0\\) +20 -> 1,020 \\(\\+1,000\\) +0 -> 7 \\(\\+7\\)")
        .containsPattern("confined a.Call.one +0 +1,000\\.0 +1,000 +0\n")
        .containsPattern("confined a.Gone.by +0 +500\\.0 -> 0\\.0 \\(-500\\.0\\)");
    assertThat(Files.readString(page))
        .contains(
            "<title>Rockpool comparison</title>",
            "<strong class=\"bad\"><a href=\"#meaning-Worse\">Worse:</a></strong> leaks in b only",
            "a.Fresh.buffer",
            "title=\"shared: 1,000 B -&gt; 101,000 B\"",
            "title=\"direct: 0 B -&gt; 400 B\"");
    JsonObject both = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(both.get("verdict").getAsString()).startsWith("Worse: ");
    JsonObject cache = both.getAsJsonArray("sites").get(0).getAsJsonObject();
    assertThat(cache.getAsJsonObject("a").get("liveBytes").getAsLong()).isEqualTo(1000);
    assertThat(cache.getAsJsonObject("b").get("leaked").getAsLong()).isEqualTo(7);

    assertThat(report("--compare", "-o", page, after, before)).isZero();
    assertThat(out)
        .startsWith(
            "Better: leaks in a only: shared a.Cache.load; live bytes at that time 101,000 B -> ");
    assertThat(report("--compare", "-o", page, after, after)).isZero();
    assertThat(out)
        .startsWith(
            "The same: live bytes at that time 101,000 B; mapped, or freed by a collection, at most"
                + " 400 B.\n"
                + "New in b: nothing.\n");
  }

  /** Whoever holds it: C code is in no list of sites. */
  @Test
  void moreOfTheProcessIsWorse() throws IOException {
    assertThat(comparison(131, 460))
        .startsWith("Worse: resident set at its peak 137,363,456 B (131.00 MiB) -> 482,344,960 B")
        .containsPattern("C code +31\\.0 +360\\.0 +329\\.0\n");
    assertThat(comparison(460, 131)).startsWith("Better: resident set at its peak ");
    assertThat(comparison(460, 470)).startsWith("The same: resident set at its peak ");
  }

  private String comparison(int residentInA, int residentInB) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int resident : List.of(residentInA, residentInB)) {
      files.add(
          Recorded.record(
              folder.resolve(files.size() + "r.jfr"),
              new RecorderSettings(),
              new ProcessMemory(1, resident),
              new ProcessPart(1, "Java heap", 100, 200),
              new ProcessPart(1, "malloc heap", resident - 100, resident),
              new ProcessPart(1, "malloc: in use in arenas", 0, resident)));
    }
    Path page = folder.resolve("p.html");
    assertThat(report("--compare", "-o", page, files.getFirst(), files.getLast())).isZero();
    return out;
  }

  private String comparison(HolderSite a, HolderSite b) throws IOException {
    Path inA = Recorded.record(folder.resolve("a.jfr"), new RecorderSettings(), a);
    Path inB = Recorded.record(folder.resolve("b.jfr"), new RecorderSettings(), b);
    assertThat(report("--compare", "-o", folder.resolve("p.html"), inA, inB)).isZero();
    return out;
  }

  private static HolderSite lasting(long seconds, long opened, long live, long leaked) {
    HolderSite site = new HolderSite("shared", "a.A.a:1", opened, live, leaked);
    site.age = seconds * 1_000_000_000;
    return site;
  }

  @Test
  void recordingsOfOtherLengthsAreNotComparable() throws IOException {
    assertThat(comparison(lasting(4, 100, 100, 0), lasting(240, 6000, 6000, 5000)))
        .startsWith(
            "Not comparable, record both for as long: a lasted 4.00 s and b 240.00 s; leaks")
        .contains("leaks in b only: shared a.A.a; live bytes at that time 10,000 B -> 600,000 B.");
    assertThat(comparison(lasting(60, 100, 100, 100), lasting(80, 150, 150, 150)))
        .startsWith("Worse: live bytes at that time");
    assertThat(comparison(lasting(60, 100, 100, 100), lasting(80, 151, 151, 151)))
        .startsWith("Worse: leaks more in b: shared a.A.a; live bytes");
    assertThat(comparison(lasting(60, 151, 151, 151), lasting(80, 100, 100, 100)))
        .startsWith("Better: leaks less in b: shared a.A.a; live bytes");
  }

  @Test
  void aFewBytesAreNoChange() throws IOException {
    assertThat(comparison(lasting(1, 10, 10, 0), lasting(1, 50, 50, 0)))
        .startsWith("The same: live bytes at that time 1,000 B -> 5,000 B.");
    assertThat(comparison(lasting(1, 10, 10, 0), lasting(1, 60, 60, 0)))
        .startsWith("Worse: live bytes at that time 1,000 B -> 6,000 B.");
  }

  /** It depends on when the last collection was. */
  @Test
  void memoryThatIsNotCollectedYetIsNoChange() throws IOException {
    HolderSite few = new HolderSite("direct", "a.A.a:1", 500, 10, 0);
    HolderSite all = new HolderSite("direct", "a.A.a:1", 500, 500, 0);
    assertThat(comparison(few, all))
        .startsWith(
            "The same: live bytes at that time 0 B; mapped, or freed by a collection, at most 1,000"
                + " B -> 50,000 B.");
  }

  @Test
  void comparesTwoFilesThatCanBeRead() throws IOException {
    assertThat(report("--compare", sample)).isEqualTo(2);
    assertThat(err).contains("--compare needs two recordings, a and b: there is 1 file");
    assertThat(run("--compare", "--jdk", System.getProperty("java.home"), sample, sample))
        .isEqualTo(2);
    assertThat(err).contains("--jdk is for the calibration: leave out --compare");
    Path empty = Files.createFile(folder.resolve("empty.jfr"));
    assertThat(report("--compare", "-o", folder.resolve("p.html"), sample, empty)).isEqualTo(1);
    assertThat(err).contains("skipped " + empty + ": it is empty", "none of 1 file could be used");
    assertThat(folder.resolve("p.html")).doesNotExist();
  }

  @Test
  void looksAtTheJdkFirst() {
    assertThat(run("--jdk", folder, sample)).isEqualTo(2);
    assertThat(err).contains("--jdk must name a JDK's folder: there is no " + folder);
    assertThat(report("--jdk", System.getProperty("java.home"), sample)).isEqualTo(2);
    assertThat(err).contains("--jdk is for the calibration: leave out --no-calibration");
    assertThat(out).isEmpty();
  }
}
