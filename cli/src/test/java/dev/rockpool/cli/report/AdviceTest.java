package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of advice, and the figure that keeps it back. */
class AdviceTest {
  @TempDir private Path folder;
  private int files;

  private List<String> advice(Event... events) throws IOException {
    return Advice.of(report(false, events));
  }

  private Report report(boolean isPooled, Event... events) throws IOException {
    Event[] all = new Event[events.length + 1];
    RecorderSettings settings = new RecorderSettings();
    settings.arenas = isPooled;
    all[0] = settings;
    System.arraycopy(events, 0, all, 1, events.length);
    Merge merge = new Merge();
    merge.add(Recorded.record(folder.resolve(files++ + ".jfr"), all));
    assertThat(merge.skipped()).isEmpty();
    return Report.of(merge);
  }

  /** A site of 100 arenas, with their histogram. */
  private static Event[] called(Arena arena, long fromPool, HolderSite... more) {
    List<Arena> calls = Collections.nCopies(100, arena);
    List<Event> events = new ArrayList<>(List.of(more));
    events.add(Recorded.site("a.A.a:1", fromPool, calls));
    events.add(Recorded.histogram("platform", "jdk", calls));
    return events.toArray(Event[]::new);
  }

  private String change(Event... events) throws IOException {
    return Verdict.of(report(false, events)).change();
  }

  private static HolderSite used(String kind, long byOthers) {
    HolderSite site = new HolderSite(kind, "a.A.a:1", 20, 0, 0);
    site.byOthers = byOthers;
    site.closeTime = 3_000_000;
    site.longestClose = 2_000_000;
    site.meanLife = 5_000_000;
    site.longestLife = 9_000_000;
    return site;
  }

  @Test
  void aLeakIsToBeClosed() throws IOException {
    assertThat(advice(new HolderSite("shared", "a.A.a:1", 8, 3, 3)))
        .containsExactly(
            "Leak: shared a.A.a:1: 3 arenas with 300 B became unreachable without close, so this"
                + " memory is never freed. Close each arena, by try-with-resources.",
            "Could be confined: shared a.A.a:1: 8 shared arenas, none allocated in or closed by a"
                + " second thread; close took 0.0 ns, the longest 0.0 ns, and each close stops all"
                + " threads for a moment. If no other thread reads the segments, Arena.ofConfined()"
                + " needs no such stop; with 100 bytes an arena, the pool could serve it.");
  }

  @Test
  void growthNeedsThreeSecondsOrTenAllocationsWithoutAFree() throws IOException {
    HolderSite grows = new HolderSite("direct", "a.A.a:1", 9, 4, 0);
    grows.growing = 3;
    grows.oldest = 7_000_000_000L;
    assertThat(advice(grows))
        .containsExactly(
            "Only grows: direct a.A.a:1: 4 of 9 live with 400 B by 9 allocations, the oldest for"
                + " 7.00 s; grew in 3 seconds since it last fell. Look for the owner that keeps"
                + " it.");
    assertThat(Verdict.of(report(false, grows)).leaks())
        .isEqualTo("Leaks: 1 site only grows, first a.A.a:1.");
    grows.growing = 2;
    assertThat(advice(grows)).isEmpty();
    assertThat(advice(new HolderSite("direct", "a.A.a:1", 10, 10, 0)))
        .singleElement()
        .asString()
        .startsWith("Only grows: direct a.A.a:1: 10 of 10 live with 1,000 B by 10 allocations");
    assertThat(advice(new HolderSite("direct", "a.A.a:1", 9, 9, 0)))
        .noneMatch(sentence -> sentence.startsWith("Only grows"));
  }

  @Test
  void leaksThatWereNotLookedForAreNotSaidToBeAbsent() throws IOException {
    RecorderSettings off = new RecorderSettings();
    off.followed = 0;
    HolderSite site = new HolderSite("confined", "a.A.a:1", 9, 0, 0);
    assertThat(Verdict.of(report(false, site)).leaks()).isEqualTo("Leaks: none found.");
    assertThat(Verdict.of(report(false, site, off)).leaks())
        .isEqualTo(
            "Leaks: none found; those of confined arenas were not looked for"
                + " (record.leaks=off).");
  }

  @Test
  void muchThatIsNeverFreedHasASentence() throws IOException {
    HolderSite freed = new HolderSite("direct", "a.A.freed:1", 100, 80, 0);
    HolderSite few = new HolderSite("direct", "a.A.few:1", 1, 1, 0);
    HolderSite kept = new HolderSite("mapped", "a.A.kept:1", 9, 9, 0);
    kept.oldest = 7_000_000_000L;
    assertThat(advice(freed, few, kept)).isEmpty();
    kept.liveBytes = 1000;
    assertThat(advice(freed, few, kept))
        .containsExactly(
            "Never freed: mapped a.A.kept:1: 9 of 9 live with 1,000 B, 10.989 % of all live bytes,"
                + " the oldest for 7.00 s. Free it where it is not needed to the end.");
  }

  @Test
  void aLeakIsNotCalledGrowth() throws IOException {
    assertThat(advice(new HolderSite("shared", "a.A.a:1", 20, 20, 3)))
        .singleElement()
        .asString()
        .startsWith("Leak: shared a.A.a:1: 3 arenas");
  }

  /** The change that a verdict names first is the one that stops a leak. */
  @Test
  void theChangeIsThatOfTheFirstAdvice() throws IOException {
    HolderSite few = new HolderSite("shared", "a.A.few:1", 20, 20, 3);
    HolderSite many = new HolderSite("confined", "a.A.many:1", 20, 20, 9);
    HolderSite grows = new HolderSite("direct", "a.A.grows:1", 20, 20, 0);
    assertThat(change(few, many, grows))
        .isEqualTo(
            "Change: close the arenas of 2 sites, first confined a.A.many:1; find the owner of"
                + " direct a.A.grows:1; leave the agent out.");
    assertThat(change(few))
        .isEqualTo("Change: close the arenas of shared a.A.few:1; leave the agent out.");
    assertThat(change(used("shared", 0)))
        .isEqualTo("Change: try Arena.ofConfined() in shared a.A.a:1; leave the agent out.");
    assertThat(change(used("shared", 1))).isEqualTo("Change: nothing; leave the agent out.");
  }

  @Test
  void aSharedArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("shared", 0)))
        .containsExactly(
            "Could be confined: shared a.A.a:1: 20 shared arenas, none allocated in or closed by a"
                + " second thread; close took 3.00 ms, the longest 2.00 ms, and each close stops"
                + " all threads for a moment. If no other thread reads the segments,"
                + " Arena.ofConfined() needs no such stop; with 100 bytes an arena, the pool could"
                + " serve it.");
    assertThat(advice(used("shared", 1))).isEmpty();
    HolderSite large = used("shared", 0);
    large.bytes = 20 * 8193;
    assertThat(advice(large)).singleElement().asString().endsWith("needs no such stop.");
  }

  @Test
  void anAutomaticArenaThatOneThreadUsesCouldBeConfined() throws IOException {
    assertThat(advice(used("automatic", 0)))
        .containsExactly(
            "Could be confined: automatic a.A.a:1: 20 automatic arenas freed by the garbage"
                + " collector, none used by a second thread; they lived 5.00 ms, at most 9.00 ms."
                + " Arena.ofConfined() in try-with-resources frees at once; with 100 bytes an"
                + " arena, the pool could serve it.");
    assertThat(advice(used("automatic", 1))).isEmpty();
    assertThat(advice(new HolderSite("automatic", "a.A.a:1", 5, 5, 0)))
        .noneMatch(sentence -> sentence.startsWith("Could be"));
    assertThat(advice(used("confined", 0))).isEmpty();
  }

  @Test
  void anArenaForEachCallIsForThePool() throws IOException {
    assertThat(advice(called(Arena.of(24), 0)))
        .containsExactly(
            "The pool takes it: confined a.A.a:1: 100 of 100 arenas not from the pool, with 24"
                + " bytes on average. Once a forecast says that it is worth it, run with the"
                + " agent's option arenas=on.");
    assertThat(Advice.of(report(true, called(Arena.of(24), 0)))).isEmpty();
    assertThat(advice(called(Arena.of(24), 91))).isEmpty();
    List<Arena> nine = Collections.nCopies(9, Arena.of(24));
    assertThat(
            advice(Recorded.site("a.A.a:1", 0, nine), Recorded.histogram("platform", "jdk", nine)))
        .isEmpty();
  }

  @Test
  void aLeakIsToBeClosedBeforeThePoolTakesTheRest() throws IOException {
    assertThat(advice(called(Arena.of(24), 0, new HolderSite("confined", "a.A.a:1", 8, 3, 3))))
        .singleElement()
        .asString()
        .startsWith("Leak: ");
  }

  @Test
  void anArenaBeyondThePoolWantsLargerBlocks() throws IOException {
    assertThat(advice(called(Arena.of(18_000), 0)))
        .containsExactly(
            "Larger than a block: confined a.A.a:1: 100 of 100 arenas not from the pool, with"
                + " 18,000 bytes on average; the pool has 8 Ki for one. With"
                + " -Drockpool.block.size=32768 100.000 % of its arenas fit.");
    assertThat(advice(called(Arena.of(1800), 0))).singleElement().asString().startsWith("The pool");
    assertThat(advice(called(Arena.of(3 << 20), 0))).isEmpty();
  }
}
