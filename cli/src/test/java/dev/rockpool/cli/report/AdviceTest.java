package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of advice, and the figure that keeps it back. */
class AdviceTest {
  @TempDir private Path folder;
  private int files;

  private List<String> advice(Event... events) throws IOException {
    return Advice.of(report(events));
  }

  private Report report(Event... events) throws IOException {
    Event[] all =
        Stream.concat(Stream.of(new RecorderSettings()), Stream.of(events)).toArray(Event[]::new);
    Merge merge = new Merge();
    merge.add(Recorded.record(folder.resolve(files++ + ".jfr"), all));
    assertThat(merge.skipped()).isEmpty();
    return Report.of(merge, "");
  }

  private Verdict verdict(Event... events) throws IOException {
    return Verdict.of(report(events));
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
    assertThat(verdict(site).leaks()).isEqualTo("Leaks: arenas are left open by confined a.A.a:1.");
  }

  @Test
  void growthIsOneThatSecondsShow() throws IOException {
    HolderSite site = growing("shared");
    site.oldest = 7_000_000_000L;
    site.byOthers = 1;
    assertThat(advice(site))
        .containsExactly(
            "Only grows: shared a.A.grows:1: 12 of 20 live with 1,200 B by 20 allocations, the"
                + " oldest for 7.00 s; grew in 3 seconds. Look for the owner that keeps it.");
    site = growing("shared");
    site.byOthers = 1;
    site.growing = 2;
    assertThat(advice(site)).isEmpty();
  }

  /** Made at the start and constant since, or garbage that no collection has looked at. */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "automatic", "mapped"})
  void memoryThatACollectionFreesIsNoLeakWithoutOne(String kind) throws IOException {
    HolderSite site = site(kind, "a", 40, 40, 0);
    assertThat(advice(site))
        .containsExactly(
            "Not collected yet: "
                + kind
                + " a.A.a:1: 40 of 40 live with at most 4,000 B, 100.000 % of all live bytes. Only"
                + " a garbage collection frees it, and none has freed any of it so far.");
    assertThat(verdict(site).leaks()).isEqualTo("Leaks: none found.");
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

  @Test
  void muchThatIsNeverFreedHasASentence() throws IOException {
    HolderSite freed = site("confined", "freed", 100, 80, 0);
    HolderSite few = site("global", "few", 1, 1, 0);
    HolderSite kept = site("global", "kept", 9, 9, 0);
    kept.oldest = 7_000_000_000L;
    assertThat(advice(freed, few, kept)).isEmpty();
    kept.liveBytes = 1000;
    assertThat(advice(freed, few, kept))
        .containsExactly(
            "Never freed: global a.A.kept:1: 9 of 9 live with 1,000 B, 10.989 % of all live bytes,"
                + " the oldest for 7.00 s. Free it where it is not needed to the end.");
  }

  /** The change that a verdict names first is the one that stops a leak. */
  @Test
  void theChangeIsThatOfTheFirstAdvice() throws IOException {
    HolderSite few = site("shared", "few", 20, 20, 3);
    HolderSite many = site("confined", "many", 20, 20, 9);
    assertThat(verdict(few, many, growing("direct")).change())
        .startsWith(
            "Change: close the arenas of 2 sites, first confined a.A.many:1; find the owner of"
                + " direct a.A.grows:1; leave the agent out");
    assertThat(verdict(used("shared", 0)).change())
        .startsWith("Change: try Arena.ofConfined() in shared a.A.a:1; leave the agent out");
    assertThat(verdict(used("shared", 1)).change()).startsWith("Change: leave the agent out");
  }

  @Test
  void aSharedArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("shared", 0)))
        .containsExactly(
            "Could be confined: shared a.A.a:1: 20 shared arenas, none allocated in or closed by a"
                + " second thread; close took 3.00 ms, the longest 2.00 ms, and each close stops"
                + " all threads for a moment. If no other thread reads the segments,"
                + " Arena.ofConfined() needs no such stop.");
    assertThat(advice(used("shared", 1))).isEmpty();
  }

  @Test
  void anAutomaticArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("automatic", 0)))
        .containsExactly(
            "Could be confined: automatic a.A.a:1: 20 automatic arenas freed by the garbage"
                + " collector, none allocated in by a second thread; half of them lived no longer"
                + " than 5.00 ms. If no other thread reads the segments, Arena.ofConfined() in"
                + " try-with-resources frees at once.");
    assertThat(advice(used("automatic", 1))).isEmpty();
    assertThat(advice(site("automatic", "a", 5, 5, 0)))
        .noneMatch(sentence -> sentence.startsWith("Could be"));
    assertThat(advice(used("confined", 0))).isEmpty();
  }

  /** Memory that only a collection frees may be garbage, so its peak is a bound. */
  @Test
  void mostBytesAreABoundWhereACollectionFrees() throws IOException {
    HolderSite direct = site("direct", "a", 40, 40, 0);
    direct.mostLiveBytes = 285_000_000;
    HolderSite shared = site("shared", "b", 40, 40, 0);
    shared.mostLiveBytes = 5000;
    assertThat(HolderTables.text(report(direct, shared)))
        .containsPattern("direct a\\.A\\.a:1 .* at most 285,000,000 ")
        .containsPattern("shared a\\.A\\.b:1 +40 +4,000 +5,000 ");
  }
}
