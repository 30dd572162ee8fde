package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Recorded.BufferPool;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.HolderStack;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of advice, and the figure that keeps it back. */
class AdviceTest {
  @TempDir private Path folder;

  private List<String> advice(Event... events) throws IOException {
    return Advice.of(report(events));
  }

  private Report report(Event... events) throws IOException {
    return Samples.reportOfRecorder(folder, events);
  }

  private Headlines verdict(Event... events) throws IOException {
    return Headlines.of(report(events));
  }

  private static HolderSite site(String kind, String method, long opened, long live, long leaked) {
    return new HolderSite(kind, "a.A." + method + ":1", opened, live, leaked);
  }

  private static HolderSite used(String kind, long byOthers) {
    HolderSite site = site(kind, "a", 20, 0, 0);
    site.byOthers = byOthers;
    site.closeTime = 3_000_000;
    site.longestClose = 2_000_000;
    site.lifeMedian = 5_000_000;
    return site;
  }

  private static HolderSite growing(String kind) {
    HolderSite site = site(kind, "grows", 20, 12, 0);
    site.growing = 3;
    return site;
  }

  @Test
  void aLeakIsToBeClosed() throws IOException {
    HolderSite leak = site("shared", "a", 8, 3, 3);
    leak.byOthers = 1;
    assertThat(advice(leak))
        .containsExactly(
            "Leak: shared a.A.a:1: 3 arenas with 300 B became unreachable without close, so this"
                + " memory is never freed. Close each arena, by try-with-resources.");
    assertThat(advice(site("confined", "a", 20, 9, 3)))
        .singleElement()
        .asString()
        .contains("(found among the followed ones; 9 in all were not closed)");
  }

  /** No collection is needed to tell that, and no sample. */
  @Test
  void anArenaThatItsThreadLeftOpenIsALeak() throws IOException {
    HolderSite site = site("confined", "a", 48_746, 343, 0);
    site.unclosedByEnded = 343;
    assertThat(advice(site))
        .containsExactly(
            "Leak: confined a.A.a:1: still open when their thread ended: 343 of 48,746 arenas,"
                + " which nothing can close any more. Close each arena, by try-with-resources.");
    site.live = 343;
    site.liveBytes = 34_300;
    HolderStack stack = stack(site, "a.A.a:1\na.A.main:2");
    assertThat(report(site, stack).page().text())
        .containsPattern("confined a\\.A\\.a:1 +343 +34,300 +at least 34,300 +343 +34,300 ")
        .contains("343 opened, 343 live with 34,300 B, 343 leaked");
    site.live = 344;
    HolderStack closed = stack(site, "a.A.a:1\na.A.main:2");
    closed.live = 0;
    closed.liveBytes = 0;
    assertThat(report(site, closed).page().text())
        .containsPattern(" 343 +at most 34,300 ")
        .contains("None of the sampled ones is live", "344 opened, 0 live with 0 B\n");
    assertThat(verdict(site).leaks())
        .isEqualTo("Leaks: at least 343 arenas left open by confined a.A.a:1.");
  }

  @Test
  void growthIsOneThatSecondsShow() throws IOException {
    HolderSite site = growing("shared");
    site.oldest = 7_000_000_000L;
    site.byOthers = 1;
    assertThat(advice(site))
        .singleElement()
        .asString()
        .startsWith("Grows: shared a.A.grows:1: 12 of 20 live with 1,200 B, 100.0 % of all")
        .contains("the oldest for 7.00 s", "rose in 3 seconds")
        .endsWith("Look for what keeps them, or a path that does not close them.");
    assertThat(verdict(site).leaks()).isEqualTo("Leaks: live bytes grow at shared a.A.grows:1.");
    assertThat(advice(growing("global")))
        .singleElement()
        .asString()
        .endsWith("Look for what keeps them.");
    site = growing("shared");
    site.byOthers = 1;
    site.growing = 2;
    site.closed = 1;
    assertThat(advice(site)).isEmpty();
  }

  /** Young collections leave old garbage. */
  @Test
  void growthOfBuffersMayBeOldGarbage() throws IOException {
    assertThat(advice(growing("direct")))
        .singleElement()
        .asString()
        .startsWith("Grows: direct a.A.grows:1: 12 of 20 live with at most 1,200 B")
        .contains("Either something keeps them, or only a full collection", "GC.run");
  }

  /** Made at the start and constant since, or garbage that no collection has looked at. */
  @ParameterizedTest
  @CsvSource({
    "direct, No collection ran: this may be garbage. A bound",
    "automatic, No collection ran: this may be garbage. A bound",
    "mapped, or the close of the arena that it was mapped in",
  })
  void memoryThatACollectionFreesIsNoLeakWithoutOne(String kind, String end) throws IOException {
    HolderSite site = site(kind, "a", 40, 40, 0);
    assertThat(advice(site)).isEmpty(); // a large share of next to nothing
    site.liveBytes = 400_000;
    assertThat(advice(site))
        .singleElement()
        .asString()
        .startsWith("Not collected yet: " + kind + " a.A.a:1: 40 of 40 live with at most 400,000 B")
        .contains("100.0 % of all live bytes", end);
    assertThat(verdict(site).leaks())
        .isEqualTo(
            "Leaks: none found; still live at the end were at most 400,000 B at 1" + " site.");
  }

  /** After an OutOfMemoryError with 335 buffers that a list keeps. */
  @Test
  void whatAFullCollectionLeavesIsHeld() throws IOException {
    HolderSite site = site("direct", "a", 335, 335, 0);
    site.liveBytes = 335 << 20;
    site.fullCollections = 1;
    assertThat(advice(site)).singleElement().asString().startsWith("Not collected yet: ");
    site.keptByFull = 330;
    site.bytesKeptByFull = 330 << 20;
    assertThat(advice(site))
        .singleElement()
        .asString()
        .startsWith("Held: direct a.A.a:1: ")
        .contains("A full collection freed none of them: 330 with 346,030,080 B (330.00 MiB)");
  }

  /** Arenas that never allocated hold no memory. */
  @Test
  void openArenasWithoutMemoryAreNotSaidToBeLive() throws IOException {
    HolderSite empty = site("confined", "a", 19_000, 19_000, 0);
    empty.liveBytes = 0;
    assertThat(verdict(empty).leaks()).isEqualTo("Leaks: none found.");
    assertThat(report(empty).page().text()).containsPattern("confined a\\.A\\.a:1 +19,000 +0 ");
  }

  @Test
  void leaksThatWereNotLookedForAreNotSaidToBeAbsent() throws IOException {
    RecorderSettings off = new RecorderSettings();
    off.followed = 0;
    assertThat(verdict(site("confined", "a", 9, 0, 0), off).leaks())
        .isEqualTo(
            "Leaks: none found; unreachable confined arenas were not looked for"
                + " (record.leaks=off).");
  }

  @ParameterizedTest
  @CsvSource({
    "global, Arena.global() never frees",
    "shared, no garbage collection has found one to be unreachable",
    "confined, None was closed so far",
    "malloc, 'no garbage collection frees them: the program must, by free.'",
    "unsafe, 'no garbage collection frees them: the program must, by freeMemory.'",
  })
  void muchThatWasNotFreedHasASentence(String kind, String end) throws IOException {
    HolderSite freed = site("confined", "freed", 100, 80, 0);
    HolderSite few = site(kind, "few", 1, 1, 0);
    freed.liveBytes = 810_000;
    HolderSite kept = site(kind, "kept", 9, 9, 0);
    kept.oldest = 7_000_000_000L;
    assertThat(advice(freed, few, kept)).isEmpty();
    kept.liveBytes = 100_000;
    assertThat(advice(freed, few, kept))
        .singleElement()
        .asString()
        .startsWith("Not freed: " + kind + " a.A.kept:1: 9 of 9 live with 100,000 B, 11.0 % of")
        .contains("the oldest for 7.00 s", end);
  }

  /** The order of the table is that of bytes. */
  @Test
  void leaksComeFirstThenWhatGrows() throws IOException {
    HolderSite large = site("global", "large", 20, 20, 0);
    large.liveBytes = 1_000_000;
    HolderSite few = site("shared", "few", 20, 20, 3);
    HolderSite many = site("confined", "many", 20, 20, 9);
    assertThat(verdict(large, few, growing("direct"), many).leaks())
        .isEqualTo(
            "Leaks: at least 12 arenas left open by confined a.A.many:1 and shared a.A.few:1; live"
                + " bytes grow at direct a.A.grows:1.");
    assertThat(advice(large, few, growing("direct"), many))
        .extracting(sentence -> sentence.substring(0, sentence.indexOf(':')))
        .containsExactly("Leak", "Leak", "Grows", "Not freed");
  }

  @Test
  void aSharedArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("shared", 0)))
        .singleElement()
        .asString()
        .startsWith(
            "Could be confined: shared a.A.a:1: 20 shared arenas, none allocated in or closed")
        .contains(
            "20.0 closes a second took 0.3 % of the time, the longest 2.00 ms, and each stops")
        .contains("If no other thread reads", "one shared arena for those that end together");
    assertThat(advice(used("shared", 1)))
        .containsExactly(
            "Costly to close: shared a.A.a:1: 20.0 closes a second took 0.3 % of the time, the"
                + " longest 2.00 ms, and each stops all threads for a moment. If they end together,"
                + " one shared arena for all needs one close.");
    HolderSite kept = used("shared", 0);
    kept.live = 3;
    assertThat(advice(kept)).noneMatch(each -> each.startsWith("Could be confined"));
  }

  @Test
  void anAutomaticArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("automatic", 0)))
        .singleElement()
        .asString()
        .startsWith(
            "Could be confined: automatic a.A.a:1: 20 automatic arenas, none allocated in by")
        .contains("has freed 20 of them", "If no other thread reads");
    assertThat(advice(used("automatic", 1))).isEmpty();
    assertThat(advice(site("automatic", "a", 5, 5, 0)))
        .noneMatch(sentence -> sentence.startsWith("Could be"));
    assertThat(advice(used("confined", 0))).isEmpty();
  }

  /** One that was closed once, at the end of the program, has nothing to gain. */
  @Test
  void aSharedArenaWhoseCloseTakesNoTimeMayStayShared() throws IOException {
    HolderSite site = used("shared", 0);
    site.closeTime = 900_000;
    assertThat(advice(site)).isEmpty();
    site.byOthers = 1;
    assertThat(advice(site)).isEmpty();
  }

  /**
   * Memory that a collection frees may be garbage, so its peak is a bound, as is the pool's.
   * Confined arenas may have been larger between two looks.
   */
  @Test
  void mostBytesAreABoundWhereTheyAreNotExact() throws IOException {
    HolderSite direct = site("direct", "a", 40, 40, 0);
    direct.mostLiveBytes = 285_000_000;
    HolderSite shared = site("shared", "b", 40, 40, 0);
    shared.mostLiveBytes = 5000;
    HolderSite confined = site("confined", "c", 40, 0, 0);
    confined.largest = 1 << 20;
    assertThat(report(direct, shared, confined).page().text())
        .containsPattern("direct a\\.A\\.a:1 .* at most 285,000,000 ")
        .containsPattern("shared a\\.A\\.b:1 +40 +4,000 +5,000 ")
        .containsPattern("confined a\\.A\\.c:1 +0 +0 +at least 1,048,576 ");
    assertThat(report(direct, new BufferPool("direct", 40, 8_000_000)).page().text())
        .containsPattern("direct a\\.A\\.a:1 .* at most 8,000,000 ");
  }

  /** Such as those of the JDK's HTTP client. */
  @Test
  void buffersThatNoSiteHoldsHaveALine() throws IOException {
    HolderSite own = site("direct", "a", 4, 4, 0);
    Report report = report(own, new BufferPool("direct", 24, 20_000_400));
    assertThat(report.page().text())
        .containsPattern("direct \\(no site\\) +- +20,000,000 +at least 20,000,000 +- ");
    assertThat(Advice.of(report))
        .singleElement()
        .asString()
        .startsWith("Held by no site: direct (no site): 20,000,000 B")
        .contains("no recorded site made them", "made before the recording began");
    assertThat(Headlines.of(report).notSeen())
        .startsWith("Not seen: who made 20,000,000 B (19.07 MiB) of direct buffers; arenas that");
    assertThat(Headlines.of(report).leaks()).endsWith(" at most 400 B at 1 site.");
    BufferPool gone = new BufferPool("direct", 4, 400);
    gone.mostUsed = 20_000_400;
    assertThat(report(own, gone).page().text())
        .containsPattern("direct \\(no site\\) +- +0 +at least 20,000,000 +- ");
    assertThat(report(own, new BufferPool("direct", 4, 400)).page().text())
        .doesNotContain("(no site)", "who made");
  }

  /** The JVM's total of direct buffers has them, too, and a byte for each empty buffer. */
  @Test
  void automaticArenasAndEmptyBuffersHaveASite() throws IOException {
    HolderSite automatic = site("automatic", "a", 10_000, 10_000, 0);
    automatic.mostLiveBytes = 9_000_000;
    BufferPool pool = new BufferPool("direct", 10_001, 1_000_000);
    pool.used = 1_000_001;
    pool.mostUsed = 1_000_001;
    Report report = report(automatic, pool, site("direct", "empty", 0, 0, 0));
    assertThat(report.holders()).extracting(Holder::name).containsExactly("automatic a.A.a:1");
    assertThat(report.page().text())
        .containsPattern("automatic a\\.A\\.a:1 .* at most 1,000,001 ")
        .doesNotContain("no site", "who made");
  }

  /** Whether memory that is freed by address is in use, nobody can tell. */
  @Test
  void memoryThatIsTakenByAddressIsNotSaidToLeakOrNot() throws IOException {
    HolderSite site = growing("malloc");
    assertThat(advice(site))
        .singleElement()
        .asString()
        .endsWith("Look for what keeps them: no garbage collection frees them.");
    assertThat(report(site).page().text())
        .containsPattern("malloc a\\.A\\.grows:1 +12 +1,200 +1,200 +- +- +20 ")
        .doesNotContain("Arenas with zero bytes", "by kind of thread");
  }

  /** Figures of several JVMs are those of one of them, or sums. */
  @Test
  void aRateIsThatOfOneJvm() throws IOException {
    HolderSite one = site("shared", "a", 1000, 100, 0);
    one.mostLiveBytes = 30_000;
    HolderSite other = site("shared", "a", 500, 100, 0);
    other.mostLiveBytes = 10_000;
    other.age *= 2;
    other.run = 2;
    assertThat(report(one, other).page().text())
        .containsPattern("shared a\\.A\\.a:1 +200 +20,000 +30,000 +0 +0 +1,500 +500\\.0 ");
  }

  /** Stacks of mapped files have no bytes, so that the first would be as good as any. */
  @Test
  void theVerdictNamesWhoCallsALibraryByTheStackWithMostLive() throws IOException {
    String library = "org.apache.lucene.Files.map:7";
    HolderSite site = new HolderSite("mapped", library, 9, 9, 5);
    HolderStack none = stack(site, library + "\norg.acme.Server.close:1");
    none.live = 0;
    none.liveBytes = 0;
    HolderStack most = stack(site, library + "\norg.acme.Server.read:42");
    most.liveBytes = 0;
    assertThat(verdict(site, none, most).leaks())
        .isEqualTo(
            "Leaks: at least 5 arenas left open by mapped org.apache.lucene.Files.map:7, called by"
                + " org.acme.Server.read:42.");
  }

  @Test
  void adviceNamesWhoCallsALibrary() throws IOException {
    HolderSite site = new HolderSite("direct", "io.netty.buffer.PoolArena.make:7", 9, 9, 0);
    String library =
        "io.netty.buffer.PoolArena.make:7\njava.lang.Thread.run:1\nio.netty.util.A.b:1";
    site.liveBytes = 100_000;
    HolderStack whole = stack(site, library + "\norg.acme.Server.read:42\norg.acme.Main.main:1");
    assertThat(advice(site, whole))
        .singleElement()
        .asString()
        .endsWith(" The first frame outside of io.netty is org.acme.Server.read:42.");
    HolderStack cut = stack(site, library);
    cut.cut = true;
    assertThat(report(site, cut).page().text())
        .contains(
            "were cut: record with option record.stack=64",
            "    at io.netty.util.A.b:1\n    at ...\n");
    assertThat(advice(site, stack(site, library))).noneMatch(each -> each.contains("cut"));
  }

  /** What the site itself calls does not use the site. */
  @Test
  void theCallerIsSearchedFromTheSiteOutwards() throws IOException {
    HolderSite site = new HolderSite("direct", "io.netty.buffer.PoolArena.make:7", 9, 9, 0);
    site.liveBytes = 100_000;
    assertThat(
            advice(
                site, stack(site, "org.acme.Hook.call:3\n" + site.site + "\norg.acme.Main.main:1")))
        .singleElement()
        .asString()
        .endsWith("is org.acme.Main.main:1.");
  }

  @Test
  void theStackThatHoldsMostCounts() throws IOException {
    HolderSite site = new HolderSite("direct", "io.netty.buffer.PoolArena.make:7", 9, 9, 0);
    site.liveBytes = 100_000;
    HolderStack few = stack(site, site.site + "\norg.acme.Few.main:1");
    few.leaked = 1;
    few.liveBytes = 100;
    HolderStack many = stack(site, site.site + "\norg.acme.Many.main:1");
    many.liveBytes = 99_900;
    assertThat(advice(site, few, many))
        .singleElement()
        .asString()
        .endsWith("is org.acme.Many.main:1.");
  }

  /** Lucene and Solr are two libraries of one foundation. */
  @Test
  void librariesOfAFoundationAreToldApart() throws IOException {
    HolderSite site = new HolderSite("mapped", "org.apache.lucene.store.A.map:7", 9, 9, 0);
    site.liveBytes = 100_000;
    assertThat(
            advice(
                site,
                stack(site, site.site + "\norg.apache.lucene.B.b:1\norg.apache.solr.Core.open:5")))
        .singleElement()
        .asString()
        .endsWith("outside of org.apache.lucene is org.apache.solr.Core.open:5.");
  }

  private static HolderStack stack(HolderSite site, String text) {
    return new HolderStack(site.kind, site.site, text, site.live);
  }
}
