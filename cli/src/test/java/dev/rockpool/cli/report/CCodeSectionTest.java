package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of C code by line: from events to text, page and JSON. */
class CCodeSectionTest {
  private static final int MIB = 1 << 20;
  private static final String ROCKS = "librocksdbjni.so";

  @TempDir private Path folder;

  @Name("dev.rockpool.CMemory")
  @StackTrace(false)
  static final class CMemory extends Event {
    long run = 1;
    long round;
    long interval = 65536;
    String category;
    String site;
    String library;
    long liveBytes;
    long live = 3;
    String stack = "";

    CMemory(long round, String category, String site, String library, long liveBytes) {
      this.round = round;
      this.category = category;
      this.site = site;
      this.library = library;
      this.liveBytes = liveBytes;
    }
  }

  @Name("dev.rockpool.CPages")
  @StackTrace(false)
  static final class CPages extends Event {
    long run = 1;
    long round;
    String site;
    String library;
    long touchedBytes;

    CPages(long round, String site, String library, long touchedBytes) {
      this.round = round;
      this.site = site;
      this.library = library;
      this.touchedBytes = touchedBytes;
    }
  }

  /** As async-profiler writes it, apart from C frames. */
  @Name("profiler.Malloc")
  static final class Malloc extends Event {
    long address;
    long size;

    Malloc(long address, long size) {
      this.address = address;
      this.size = size;
    }
  }

  @Name("profiler.Free")
  @StackTrace(false)
  static final class Free extends Event {
    long address;

    Free(long address) {
      this.address = address;
    }
  }

  private Report report(Event... events) throws IOException {
    return Samples.report(folder, events);
  }

  private Report leak(long bytes) throws IOException {
    CMemory most = new CMemory(2, "C code", "com.acme.Store.scan:42", ROCKS, bytes);
    most.stack = ROCKS + "!f\ncom.acme.Store.scan:42";
    return report(
        new RecorderSettings(),
        new CMemory(1, "C code", "com.acme.Gone.a:1", "libz.so", 90 * MIB),
        most,
        new CMemory(2, "C code", "com.acme.Other.b:2", "libz.so", 16 * MIB),
        new CMemory(2, "the JVM", "(the JVM)", "", 300 * MIB),
        new CMemory(2, "Java code, by Unsafe", "(Java code, by Unsafe)", "", 7 * MIB),
        new CMemory(2, "the profiler", "(the profiler)", "", 5 * MIB));
  }

  @Test
  void theLineWithMostFollowsTheProcess() throws IOException {
    assertThat(leak(64 * MIB).page().text())
        .startsWith("Process: ")
        .contains(
            "\nC code: 67,108,864 B (64.00 MiB) live, allocated by librocksdbjni.so for"
                + " com.acme.Store.scan:42.")
        .contains(
            "C code has 83,886,080 B (80.00 MiB) of malloc live. One allocation was sampled in"
                + " each 65,536 B")
        .contains("The JVM has 314,572,800 B (300.00 MiB) beside")
        .containsPattern("com.acme.Store.scan:42 +librocksdbjni.so +67,108,864 +3 +80.0 %")
        .containsPattern("com.acme.Other.b:2 +libz.so +16,777,216 +3 +20.0 %")
        .doesNotContain("com.acme.Gone");
  }

  @Test
  void littleIsNoSentence() throws IOException {
    String few =
        report(new RecorderSettings(), new CMemory(1, "C code", "a.A.a:1", ROCKS, MIB - 1))
            .page()
            .text();
    assertThat(few).doesNotContain("C code: ").contains("C code by line");
  }

  @Test
  void withoutTheEventsThereIsNoSection() throws IOException {
    Report report = report(new RecorderSettings());
    assertThat(report.page().text()).doesNotContain("C code by line");
    assertThat(ReportJson.of(report).get("cCode").isJsonNull()).isTrue();
  }

  @Test
  void theJsonHasAllLinesAndCategories() throws IOException {
    JsonObject json = ReportJson.of(leak(64 * MIB)).getAsJsonObject("cCode");

    assertThat(json.get("interval").getAsLong()).isEqualTo(65536);
    assertThat(json.get("liveBytes").getAsLong()).isEqualTo(80 * MIB);
    assertThat(json.get("ofJvm").getAsLong()).isEqualTo(300 * MIB);
    assertThat(json.get("ofJavaCode").getAsLong()).isEqualTo(7 * MIB);
    assertThat(json.get("ofProfiler").getAsLong()).isEqualTo(5 * MIB);
    assertThat(json.getAsJsonArray("lines"))
        .extracting(line -> line.getAsJsonObject().get("line").getAsString())
        .isEqualTo(List.of("com.acme.Store.scan:42", "com.acme.Other.b:2"));
  }

  @Test
  void aRecordingOfAsyncProfilerIsFolded() throws IOException {
    Report report =
        report(
            new Malloc(1, 5 * MIB),
            new Malloc(2, 3 * MIB),
            new Malloc(3, MIB),
            new Free(2),
            new Free(9));

    assertThat(report.page().text())
        .contains("\nC code: 6,291,456 B (6.00 MiB) live, allocated by an unknown library for")
        .contains("All allocations were recorded.");
  }

  /** Each round has the sum so far. */
  @Test
  void pagesThatCCodeTouchedHaveATableOfTheirOwn() throws IOException {
    Report report =
        report(
            new RecorderSettings(),
            new CMemory(2, "C code", "com.acme.Store.scan:42", ROCKS, MIB),
            new CPages(1, "com.acme.Store.scan:42", ROCKS, 5 * MIB),
            new CPages(2, "com.acme.Store.scan:42", ROCKS, 7 * MIB),
            new CPages(2, "com.acme.Load.all:3", "libduckdb.so", 90 * MIB));

    assertThat(report.page().text())
        .containsPattern("Load.all:3 +libduckdb.so +90.0\\n.*Store.scan:42 +librocksdbjni.so +7.0");
    assertThat(ReportJson.of(report).getAsJsonObject("cCode").getAsJsonArray("touched"))
        .extracting(each -> each.getAsJsonObject().get("bytes").getAsLong())
        .containsExactly(90L * MIB, 7L * MIB);
  }
}
