package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rockpool.cli.report.Calibration.Cost;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.Recorded.OpenArenas;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavingsTest {
  private static final Arena SMALL = Arena.of(20);

  @TempDir private Path folder;

  private Report report(Event... events) throws IOException {
    Merge merge = new Merge();
    merge.add(Recorded.record(folder.resolve("a.jfr"), events));
    assertThat(merge.skipped()).isEmpty();
    return Report.of(merge).without("nobody asked");
  }

  private static RecorderSettings settings(long processorNanos, long threads) {
    RecorderSettings settings = new RecorderSettings();
    settings.processorTime = processorNanos;
    settings.threads = threads;
    return settings;
  }

  private static Event arenas(String kind, int count) {
    return Recorded.histogram(kind, "jdk", Collections.nCopies(count, SMALL));
  }

  /** 10,000 arenas on platform threads in a second of processor time. */
  private Report plain() throws IOException {
    RecorderSettings unpooled = settings(1_000_000_000, 10);
    unpooled.arenas = false;
    return report(
        unpooled,
        arenas("platform", 10_000),
        Recorded.site("a.A", 0, Collections.nCopies(10, SMALL)));
  }

  private static Report with(Report report, Range gain, Range start) {
    Map<Load, Cost> costs = new HashMap<>();
    report
        .loads()
        .forEach(
            load -> {
              Range all = gain.times((double) load.servedOfJvm());
              costs.put(load, new Cost(gain, all.minus(start), start));
            });
    return report.with(new Calibration("25.0.3", costs));
  }

  private static String worth(Report report) {
    return Verdict.of(report).worth();
  }

  /** Three of one sign may be luck. */
  @Test
  void aRangeIsWiderThanItsFewRuns() {
    assertThat(Range.of(5, 5, 5, 5)).isEqualTo(new Range(5, 5));
    Range three = Range.of(1, 2, 3);
    assertThat(three.low()).isEqualTo(2 - 4.30 / Math.sqrt(3), within(0.01));
    assertThat(three.high()).isEqualTo(2 + 4.30 / Math.sqrt(3), within(0.01));
    assertThat(three.isUnsure()).isTrue();
    assertThat(Range.of(1, 2, 3, 1, 2, 3, 1, 2, 3).isUnsure()).isFalse();
    assertThat(Range.of(-1, -2, -1, -2).isUnsure()).isFalse();
  }

  @Test
  void rangesAddUp() {
    assertThat(new Range(1, 3).times(-1)).isEqualTo(new Range(-3, -1));
    assertThat(new Range(1, 3).minus(new Range(1, 2))).isEqualTo(new Range(-1, 2));
    assertThat(new Range(1.04, 1.01).text(Numbers::time)).isEqualTo("1.0 ns");
  }

  /** A third of the arenas allocates twice: that is where the footprint is larger. */
  @Test
  void aLoadHasTheRecordedSizesAndAllocations() throws IOException {
    List<Arena> arenas = List.of(SMALL, SMALL, Arena.of(20, 40), Arena.of());
    Report report =
        report(
            settings(0, 0),
            Recorded.histogram("platform", "jdk", arenas),
            Recorded.site("a.A", 0, arenas),
            Recorded.site("b.B", 0, List.of(Arena.of(100, 100, 100))));

    assertThat(report.loads())
        .singleElement()
        .satisfies(
            load -> {
              assertThat(load.sites()).containsExactly("800;=1,21=2,37+21=1", "200;100+100+100=1");
              assertThat(load.arguments()).startsWith("platform", "0", "1000", "0").hasSize(6 + 2);
            });
  }

  @Test
  void aLoadLeavesOutArenasThatThePoolCannotServe() throws IOException {
    Report report =
        report(
            Recorded.histogram(
                "platform",
                "jdk",
                List.of(SMALL, new Arena(7, 20), Arena.of(8000), Arena.of(9000))));
    assertThat(report.loads()).extracting(Load::arenas).containsExactly(3L);

    assertThat(report(Recorded.histogram("platform", "jdk", List.of(Arena.of(70_000)))).loads())
        .isEmpty();
  }

  @Test
  void aLoadHasTheArenasThatThePoolDidServe() throws IOException {
    Arena deep = new Arena(12, 20);
    Report report =
        report(
            Recorded.histogram("platform", "pool", List.of(deep, deep, deep)),
            Recorded.histogram("platform", "regular", List.of(Arena.of(70_000))),
            Recorded.histogram("platform", "jdk", List.of(deep, deep, deep, deep)));

    assertThat(report.loads()).extracting(Load::arenas).containsExactly(7L);
  }

  @ParameterizedTest
  @CsvSource({"platform, 10, 0", "virtual, 10, 0", "platform, 5000, 2", "virtual, 5000, 2"})
  void aLoadHasTheRecordedThreads(String kind, int threads, int perThread) throws IOException {
    Report report = report(settings(0, threads), arenas(kind, 11_000));
    assertThat(report.loads()).extracting(Load::perThread).containsExactly(perThread);
    assertThat(report.loads()).extracting(Load::endsSoon).containsExactly(perThread > 0);
    assertThat(report.loads()).noneMatch(Load::waits);
  }

  @Test
  void threadsOfManyJvmsDoNotPassForShortOnes() throws IOException {
    Merge merge = new Merge();
    for (String jvm : List.of("a.jfr", "b.jfr")) {
      merge.add(
          Recorded.recordAnonymously(
              folder.resolve(jvm), settings(0, 600), arenas("platform", 9_000)));
    }
    Report report = Report.of(merge).without("nobody asked");

    assertThat(report.figures().threads()).isEqualTo(1200);
    assertThat(report.loads()).noneMatch(Load::endsSoon);
  }

  @Test
  void aLoadWaitsWhereManyVirtualThreadsDo() throws IOException {
    List<Event> events = new ArrayList<>(List.of(settings(0, 10_000), arenas("virtual", 10_000)));
    events.addAll(List.of(new OpenArenas(0), new OpenArenas(400), new OpenArenas(600)));
    Report report = report(events.toArray(Event[]::new));

    assertThat(report.figures().openAtOnce()).isEqualTo(500);
    assertThat(report.loads())
        .singleElement()
        .satisfies(
            load -> {
              assertThat(load.waits()).isTrue();
              assertThat(load.endsSoon()).isFalse();
              assertThat(load.atOnce()).isEqualTo(500);
              assertThat(load.perThread()).isEqualTo(1);
            });
  }

  @Test
  void aGainIsSetAgainstStartAndProcessorTime() throws IOException {
    Report report = with(plain(), new Range(20_000, 30_000), new Range(1e7, 3e7));
    Savings savings = report.savings();
    assertThat(savings).isNotNull();
    assertThat(savings.gain()).isEqualTo(new Range(2e8, 3e8));
    assertThat(savings.nanosPerArena()).isEqualTo(new Range(20_000, 30_000));
    assertThat(savings.share()).isEqualTo(new Range(0.2, 0.3));
    assertThat(savings.payOffArenas().low()).isEqualTo(1e7 / 30_000, within(1e-6));
    assertThat(savings.payOffArenas().high()).isEqualTo(3e7 / 20_000, within(1e-6));
    assertThat(savings.net()).isEqualTo(new Range(2e8 - 3e7, 3e8 - 1e7));
    assertThat(worth(report))
        .startsWith("Worth it on JDK 25.0.3: Rockpool saves 20.0 % to 30.0 % of the processor time")
        .contains("paid for after 330 to 1,500 arenas of a JVM");
    assertThat(Verdict.of(report).change()).contains("start with -javaagent:rockpool-agent.jar.");
  }

  /** A short run ends before it paid for the whole start. */
  @Test
  void theNetOfARunIsMeasuredNotDerived() throws IOException {
    Report report = plain();
    Map<Load, Cost> costs = new HashMap<>();
    costs.put(
        report.loads().getFirst(),
        new Cost(new Range(2000, 3000), new Range(1e6, 2e6), new Range(6e7, 7e7)));
    report = report.with(new Calibration("25.0.3", costs));
    assertThat(report.savings()).isNotNull();
    assertThat(report.savings().net()).isEqualTo(new Range(1e6, 2e6));
    assertThat(worth(report)).startsWith("Worth it").contains("paid for after 20,000 to 35,000");
  }

  /** A JVM that starts faster with the agent is ahead by the most arenas if each gains least. */
  @Test
  void aFasterStartIsWorthMostWhereAnArenaGainsLeast() throws IOException {
    Savings savings = with(plain(), new Range(10, 20), new Range(-200, -100)).savings();
    assertThat(savings).isNotNull();
    assertThat(savings.payOffArenas().low()).isEqualTo(-200 / 10.0, within(1e-6));
    assertThat(savings.payOffArenas().high()).isEqualTo(-100 / 20.0, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5e5  | 1e6 | are paid for after 25 to 100 arenas of a JVM, within a second of this load",
        "-1e7 | 1e7 | are paid for after at most 1,000 arenas of a JVM, after at most 10 s of this"
            + " load",
        "1e7  | 3e7 | are paid for after 500 to 3,000 arenas of a JVM, after 5 s to 30 s of this"
            + " load",
        "1e12 | 1e13 | are hardly ever paid for by this load",
        "-9   | -1  | took no longer",
      })
  void aStartIsPaidForAtTheRateOfTheLoad(double low, double high, String words) throws IOException {
    Report report = with(plain(), new Range(10_000, 20_000), new Range(low, high));
    Savings made = report.savings();
    assertThat(made).isNotNull();
    assertThat(Verdict.pays(atRate(made, 100))).isEqualTo("; start and warm-up " + words);
  }

  /** A recording that lasted no time tells no rate. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0   | 3e7 | are paid for after at most 3,000 arenas of a JVM",
        "1e7 | 3e7 | are paid for after 500 to 3,000 arenas of a JVM",
        "-9  | -1  | took no longer",
      })
  void aStartIsPaidForByArenasWhereTheRateIsNotKnown(double low, double high, String words)
      throws IOException {
    Savings made = with(plain(), new Range(10_000, 20_000), new Range(low, high)).savings();
    assertThat(made).isNotNull();
    assertThat(Verdict.pays(atRate(made, 0))).isEqualTo("; start and warm-up " + words);
  }

  private static Savings atRate(Savings made, double arenasPerSecond) {
    return new Savings(
        made.calibration(),
        10_000,
        made.gain(),
        made.net(),
        made.start(),
        Range.ZERO,
        10_000,
        arenasPerSecond);
  }

  /** Time of arenas from the pool is part of the time without the pool. */
  @Test
  void processorTimeIsThatWithoutThePool() throws IOException {
    Report report =
        report(
            settings(1_000_000_000, 10),
            Recorded.histogram("platform", "pool", Collections.nCopies(10_000, SMALL)));
    Savings savings = with(report, new Range(100_000, 100_000), Range.ZERO).savings();
    assertThat(savings).isNotNull();
    assertThat(savings.share()).isEqualTo(new Range(0.5, 0.5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-2     | 4     | 0   | Not worth it on JDK 25.0.3: no sure gain, -2.0 ns to 4.0 ns for"
            + " each | nothing; leave the agent out |",
        "-9     | -4    | 0   | Not worth it on JDK 25.0.3: an arena takes 4.0 ns to 9.0 ns longer"
            + " | nothing; leave the agent out |",
        "20     | 30    | 1   | Hardly worth it on JDK 25.0.3: Rockpool saves 0.02 % to 0.03 % of"
            + " the | nothing; leave the agent out |",
        "20000  | 30000 | 1e9 | Not worth it for runs this short on JDK 25.0.3: the JVMs opened"
            + " 10,000 | leave the agent out of runs this short; start longer ones with"
            + " -javaagent:rockpool-agent.jar | Run the longer ones with the agent's",
        "20000  | 30000 | 1.9e8 | Worth it | start with -javaagent:rockpool-agent.jar"
            + " | Run with the agent's",
        "20000  | 30000 | 2.5e8 | About break-even for runs this short, no sure gain or loss, on"
            + " JDK 25.0.3: the JVMs opened | runs this short may do with or without the agent;"
            + " start longer ones with -javaagent:rockpool-agent.jar | Run the longer ones with"
            + " the agent's",
      })
  void theChangeAndTheAdviceAgreeWithTheVerdict(
      double low, double high, double start, String worth, String change, @Nullable String advice)
      throws IOException {
    Report report = with(plain(), new Range(low, high), new Range(start, start));
    assertThat(worth(report)).startsWith(worth);
    assertThat(Verdict.of(report).change()).isEqualTo("Change: " + change + ".");
    assertThat(Advice.of(report))
        .hasSize(advice == null ? 0 : 1)
        .allMatch(sentence -> sentence.contains(advice + " option arenas=on."));
  }

  @Test
  void aLargerBlockIsAdvisedWithItsMemory() throws IOException {
    Report large =
        report(
            settings(1_000_000_000, 10),
            Recorded.histogram("platform", "jdk", Collections.nCopies(10_000, Arena.of(3000))));
    assertThat(Verdict.of(with(large, new Range(20_000, 30_000), Range.ZERO)).change())
        .endsWith(
            "and -Drockpool.block.size=4096, which fits 99 % of the arenas and takes up to"
                + " 32,768 B a thread.");
  }

  @Test
  void aKindOfThreadThatLosesIsExcluded() throws IOException {
    Report report =
        report(settings(1_000_000_000, 10), arenas("platform", 9000), arenas("virtual", 1000));
    Map<Load, Cost> costs = new HashMap<>();
    costs.put(
        report.loads().getFirst(),
        new Cost(new Range(9000, 9000), new Range(8e7, 8e7), Range.ZERO));
    costs.put(
        report.loads().getLast(), new Cost(new Range(-90, -80), new Range(-9e4, -8e4), Range.ZERO));
    assertThat(Verdict.of(report.with(new Calibration("25", costs))).change())
        .contains("exclude classes that open arenas on virtual threads, which lose");
  }

  /** Each kind of thread was calibrated with a start. */
  @Test
  void aJvmOfTwoKindsOfThreadsPaysForOneOrTwoStarts() throws IOException {
    Report report =
        report(settings(1_000_000_000, 10), arenas("platform", 9000), arenas("virtual", 1000));
    Map<Load, Cost> costs = new HashMap<>();
    for (Load load : report.loads()) {
      costs.put(load, new Cost(new Range(9, 9), new Range(-3e7, -3e7), new Range(3e7, 3e7)));
    }
    Savings savings = report.with(new Calibration("25", costs)).savings();
    assertThat(savings).isNotNull();
    assertThat(savings.net()).isEqualTo(new Range(-6e7, -3e7));
    assertThat(savings.start()).isEqualTo(new Range(3e7, 6e7));
  }

  @Test
  void aNetOfZeroIsThatOfTheFirstKindOfThreads() throws IOException {
    Report report =
        report(settings(1_000_000_000, 10), arenas("platform", 9000), arenas("virtual", 1000));
    Map<Load, Cost> costs = new HashMap<>();
    for (Load load : report.loads()) {
      costs.put(load, new Cost(new Range(9, 9), Range.ZERO, new Range(3e7, 3e7)));
    }
    Savings savings = report.with(new Calibration("25", costs)).savings();
    assertThat(savings).isNotNull();
    assertThat(savings.net()).isEqualTo(new Range(0, 3e7));
    assertThat(savings.start()).isEqualTo(new Range(3e7, 6e7));
  }

  /** The gain of an arena does not count then, nor is a calibration needed. */
  @Test
  void aPoolThatDoesNotStartGainsNothing() throws IOException {
    Report few = report(settings(1_000_000_000, 10), arenas("platform", 3_999));
    assertThat(worth(few))
        .isEqualTo(worth(with(few, new Range(20_000, 30_000), Range.ZERO)))
        .isEqualTo(
            "Not worth it: a JVM closed 3,999 confined arenas while recorded, and the agent's pool"
                + " starts after 4,000 (rockpool.start.after); a longer run needs a longer"
                + " recording.");
    assertThat(Verdict.of(few).change())
        .isEqualTo("Change: leave the agent out of runs this short.");
    assertThat(worth(report(arenas("platform", 4_000)))).startsWith("Worth it? Not calibrated");
  }

  @Test
  void aVerdictNeedsACalibration() throws IOException {
    Report report = plain();
    assertThat(report.savings()).isNull();
    assertThat(Verdict.of(report).sentences())
        .hasSize(3)
        .first()
        .isEqualTo("Worth it? Not calibrated, no forecast: nobody asked.");
    assertThat(worth(report(new RecorderSettings())))
        .startsWith("Not worth it: the program closed");
    Report large =
        report(Recorded.histogram("platform", "jdk", Collections.nCopies(5000, Arena.of(70_000))));
    assertThat(worth(large.with(new Calibration("25", Map.of()))))
        .startsWith("Not worth it: the program opened no arena that the pool could serve.");
  }
}
