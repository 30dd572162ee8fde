package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.CCodeSectionTest.CMemory;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.HolderStack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the report says of objects that own C memory. */
class OwnerSectionTest {
  private static final String ITERATOR = "org.rocksdb.RocksIterator at com.acme.Store.scan:42";

  @TempDir private Path folder;

  private Report report(Event... events) throws IOException {
    return Samples.reportOfRecorder(folder, events);
  }

  private List<String> sentences(Event... events) throws IOException {
    return report(events).owners().sentences();
  }

  /** As the recorder writes it: without bytes. */
  private static HolderSite site(String kind, String site, long opened, long live, long leaked) {
    HolderSite event = new HolderSite(kind, site, opened, live, leaked);
    event.allocations = 0;
    event.bytes = 0;
    event.liveBytes = 0;
    event.leakedBytes = 0;
    return event;
  }

  @Test
  void objectsThatNobodyClosedAreALeak() throws IOException {
    HolderSite some = site("owner", ITERATOR, 400, 310, 300);
    assertThat(sentences(some))
        .containsExactly(
            "Leak: 300 objects of class org.rocksdb.RocksIterator became unreachable without close,"
                + " of 400 made by com.acme.Store.scan:42, so their C memory is never freed. Close"
                + " each, by try-with-resources if it can be.");
    assertThat(Headlines.of(report(some)).leaks())
        .isEqualTo("Leaks: at least 300 objects that own C memory left open by " + ITERATOR + ".");
    HolderSite one = site("owner", ITERATOR, 1, 1, 1);
    assertThat(Headlines.of(report(one)).leaks())
        .isEqualTo("Leaks: none found."); // a library may have forgotten its own
    assertThat(sentences(one)).singleElement().asString().contains(" None of this class was");
  }

  @Test
  void theCollectorIsSaidToFreeWhatItFrees() throws IOException {
    HolderSite site = site("owner-collected", "java.util.zip.Deflater at a.A.zip:1", 30, 5, 20);
    assertThat(sentences(site))
        .containsExactly(
            "Left to the collector: 20 objects of class java.util.zip.Deflater became unreachable"
                + " without close, of 30 made by a.A.zip:1. The collector frees their C memory, but"
                + " late, because it does not see how much that is. Close each, by"
                + " try-with-resources if it can be.");
    assertThat(Headlines.of(report(site)).leaks()).isEqualTo("Leaks: none found.");
    assertThat(report(site).owners().table().text()).containsPattern("zip:1 +5 +20 +30 ");
  }

  /** A wrong closing method, or one that is not known, must not invent leaks. */
  @Test
  void aClassThatOnlyLooksLikeOneLeaksIfItsObjectsAreClosedElsewhere() throws IOException {
    HolderSite left = site("owner-guessed", "a.Peer at a.A.leave:1", 30, 30, 30);
    assertThat(sentences(left))
        .containsExactly(
            "Closed in a way that is not known, or never: 30 objects of class a.Peer became"
                + " unreachable, of 30 made by a.A.leave:1. The class looks as if it owned C"
                + " memory, and no method that closes it was called. If one does, name it:"
                + " record.owners=a.Peer#METHOD.");
    assertThat(Headlines.of(report(left)).leaks()).isEqualTo("Leaks: none found.");

    HolderSite ofOther = site("owner-guessed", "a.Other at a.A.close:1", 10, 0, 0);
    assertThat(Headlines.of(report(left, ofOther)).leaks()).isEqualTo("Leaks: none found.");

    HolderSite closed = site("owner-guessed", "a.Peer at a.A.close:2", 10, 0, 0);
    assertThat(sentences(left, closed))
        .singleElement()
        .asString()
        .startsWith("Perhaps a leak: 30 objects of class a.Peer ")
        .contains("The class only looks like others that own C memory");
    assertThat(Headlines.of(report(left, closed)).leaks())
        .contains(
            "perhaps 30 objects that seem to own C memory left open by a.Peer at a.A.leave:1");
  }

  @Test
  void openObjectsMayGrowInNumber() throws IOException {
    HolderSite site = site("owner", ITERATOR, 40, 30, 0);
    site.growing = 3;
    assertThat(sentences(site))
        .containsExactly(
            "Grows: 30 objects of class org.rocksdb.RocksIterator are open, made by"
                + " com.acme.Store.scan:42. Their number rose in 3 seconds. Look for what"
                + " keeps them, or a path that does not close them.");
    assertThat(Headlines.of(report(site)).leaks())
        .isEqualTo("Leaks: open objects that own C memory grow in number at " + ITERATOR + ".");
    site.growing = 2;
    assertThat(sentences(site)).isEmpty();
  }

  @Test
  void linesThatWereNotNotedAreSaidToBe() throws IOException {
    assertThat(sentences(site("owner", "a.Peer at (lines not noted)", 9000, 20, 20)))
        .singleElement()
        .asString()
        .contains("of 9,000 made by lines that were not noted, because many were made in a second");
  }

  /** No bytes are known, so they are in no table of bytes. */
  @Test
  void ownersHaveATableOfTheirOwn() throws IOException {
    HolderSite arena = new HolderSite("shared", "a.A.a:1", 20, 10, 0);
    HolderStack stack = new HolderStack("owner", ITERATOR, "lib.A.<init>:1\na.A.b:2", 3);
    stack.liveBytes = 0;
    Report report = report(arena, site("owner", ITERATOR, 40, 30, 3), stack);
    assertThat(report.holders()).extracting(Holder::kind).containsExactly("shared");
    String page = report.page().text();
    assertThat(page).contains("Objects that own C memory").contains(ITERATOR);
    assertThat(page).contains("3 opened, 3 live\n    at lib.A.<init>:1");
    assertThat(ReportJson.of(report).getAsJsonArray("owners")).hasSize(1);
  }

  private static CMemory cMemory(String line, String library, int mebi) {
    return new CMemory(1, "C code", line, library, (long) mebi << 20);
  }

  @Test
  void objectsAndCMemoryOfOneLineAreToldTogether() throws IOException {
    String line = "com.acme.Store.scan:42";
    Report report =
        report(
            site("owner", ITERATOR, 400, 300, 290),
            site("owner", "org.rocksdb.ReadOptions at com.acme.Store.other:7", 9, 9, 9),
            cMemory(line, "librocksdbjni.so", 60),
            cMemory(line, "libother.so", 4));

    String page = report.page().text();
    assertThat(page)
        .contains(
            "allocated by librocksdbjni.so for "
                + line
                + ", which made 300"
                + " org.rocksdb.RocksIterator that are not closed.")
        .containsPattern(line + " +librocksdbjni.so .* 300 org.rocksdb.RocksIterator\n")
        .containsPattern("class and line .* C memory, MiB\n")
        .containsPattern(ITERATOR + " .* 64.0\n")
        .containsPattern("com.acme.Store.other:7 .* -\n")
        .contains("so their C memory is never freed (C code has 64 MiB live for that line).");
    Headlines headlines = Headlines.of(report);
    assertThat(headlines.leaks()).endsWith(" (C code has 64 MiB live for these lines).");
    JsonObject json = ReportJson.of(report);
    assertThat(json.getAsJsonObject("verdict").get("cCode").getAsString())
        .isEqualTo(headlines.cCode())
        .startsWith("C code: ");
    JsonObject cCode =
        json.getAsJsonObject("cCode").getAsJsonArray("lines").get(0).getAsJsonObject();
    assertThat(cCode.get("objectsNotClosed").getAsString())
        .isEqualTo("300 org.rocksdb.RocksIterator");
    JsonObject owner = json.getAsJsonArray("owners").get(0).getAsJsonObject();
    assertThat(owner.get("cBytes").getAsLong()).isEqualTo(64 << 20);
  }

  /** Bytes of a line that made objects of two classes are of neither for certain. */
  @Test
  void cMemoryIsNotGuessedWhereTwoClassesShareALine() throws IOException {
    Report report =
        report(
            site("owner", ITERATOR, 400, 300, 290),
            site("owner", "org.rocksdb.ReadOptions at com.acme.Store.scan:42", 9, 9, 9),
            site("owner", "org.rocksdb.ReadOptions at (lines not noted)", 20, 20, 0),
            cMemory("com.acme.Store.scan:42", "librocksdbjni.so", 60));

    assertThat(report.page().text())
        .containsPattern(ITERATOR + " .* -\n")
        .contains(
            "which made 300 org.rocksdb.RocksIterator, at least 9 org.rocksdb.ReadOptions that are"
                + " not closed.");
    assertThat(Headlines.of(report).leaks()).doesNotContain("MiB");
  }

  /** As with zstd, which allocates at the first write. */
  @Test
  void cMemoryIsNotToldWhereAnotherLineHasMoreForTheClass() throws IOException {
    assertThat(leaks("org.rocksdb.AbstractRocksIterator.seek:9", 300)).endsWith(ITERATOR + ".");
    assertThat(leaks("com.acme.Store.scan:43", 300)).contains("C code has 50 MiB");
    assertThat(leaks("org.rocksdb.AbstractRocksIterator.seek:9", 4)).contains("C code has 50 MiB");
  }

  private String leaks(String atUse, int mebi) throws IOException {
    CMemory use = cMemory("com.acme.Store.scan:43", "librocksdbjni.so", mebi);
    use.stack = "librocksdbjni.so!seek\n" + atUse;
    Report report =
        report(
            site("owner", ITERATOR, 400, 300, 290),
            cMemory("com.acme.Store.scan:42", "librocksdbjni.so", 50),
            use);
    return Headlines.of(report).leaks();
  }

  @Test
  void objectsThatGrowHaveTheirCMemory() throws IOException {
    HolderSite site = site("owner-collected", ITERATOR, 40, 30, 0);
    site.growing = 3;
    Report report = report(site, cMemory("com.acme.Store.scan:42", "libzip.so", 8));

    assertThat(Headlines.of(report).leaks())
        .isEqualTo(
            "Leaks: open objects that own C memory grow in number at %s (C code has 8 MiB live for"
                + " that line).",
            ITERATOR);
    assertThat(report.owners().sentences())
        .singleElement()
        .asString()
        .contains("made by com.acme.Store.scan:42 (C code has 8 MiB live for that line).");
  }
}
