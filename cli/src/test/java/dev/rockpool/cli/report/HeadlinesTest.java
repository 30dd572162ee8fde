package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rockpool.cli.report.Saving.Run;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Headline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether Rockpool is worth it: arithmetic, and the words for it. */
class HeadlinesTest {
  @TempDir private Path folder;

  private Report report(Event... events) throws IOException {
    return Samples.report(folder, events);
  }

  /** 10,000 arenas in a second of processor time. */
  private Report plain(boolean isPooled) throws IOException {
    RecorderSettings settings = new RecorderSettings();
    settings.arenas = isPooled;
    settings.processorTime = 1_000_000_000;
    return report(
        settings, Recorded.histogram("platform", Collections.nCopies(10_000, Arena.of(20))));
  }

  private static Saving saving(double nanos, double startNanos) {
    return new Saving("25.0.3", nanos + 4, 4, startNanos, 1);
  }

  @Test
  void anArenaSavesOnceForEachAllocation() throws IOException {
    ArenaFigures figures =
        report(
                Recorded.histogram(
                    "platform",
                    List.of(
                        Arena.of(20),
                        Arena.of(20, 40, 10),
                        Arena.of(),
                        Arena.of(512),
                        Arena.of(1024),
                        Arena.of(20, 2000))))
            .all();
    assertThat(Gain.poolable(figures)).isEqualTo(1 + 3 + 1 + 1 + 0 + 1);
  }

  @Test
  void theGainIsSetAgainstStartAndProcessorTime() throws IOException {
    Gain gain = Gain.of(plain(false), saving(20_000, 3e7));
    assertThat(gain.nanos()).isEqualTo(2e8);
    assertThat(gain.share()).isEqualTo(0.2);
    assertThat(gain.payBackArenas()).isEqualTo(1500, within(1e-6));
    assertThat(gain.paysStartBack()).isTrue();
    assertThat(gain.isLittle()).isFalse();
  }

  /** A start costs each JVM, so it is set against the arenas of one. */
  @Test
  void theGainIsThatOfOneJvm() throws IOException {
    Merge merge = new Merge();
    for (String name : List.of("a.jfr", "b.jfr")) {
      merge.add(
          Recorded.recordAnonymously(
              folder.resolve(name),
              Recorded.histogram("platform", Collections.nCopies(10_000, Arena.of(20)))));
    }
    Gain gain = Gain.of(Report.of(merge, ""), saving(20_000, 3e8));
    assertThat(gain.arenas()).isEqualTo(10_000);
    assertThat(gain.nanos()).isEqualTo(2e8);
    assertThat(gain.paysStartBack()).isFalse();
  }

  /** The recorded processor time lacks the time that the pool saved meanwhile. */
  @Test
  void theShareIsThatOfTheTimeWithoutThePool() throws IOException {
    assertThat(Gain.of(plain(true), saving(100_000, 0)).share()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0     | 1e7 | Pooling: no gain: it saves no time, an arena takes | ",
        "30    | 1e7 | Pooling: no gain: | ",
        "20000 | 1e9 | Pooling: no gain: of runs this short: a JVM closed 10,000 confined arenas,"
            + " which saves it 200.00 ms at most, and the agent's start takes 1.00 s | For longer"
            + " runs measure with './rockpool demo -- COMMAND'.",
        "20000 | 1e8 | Pooling: perhaps a gain: | To know what it saves, run './rockpool demo --"
            + " COMMAND'.",
      })
  void theVerdictSaysWhetherPoolingGains(
      double nanos, double start, String pooling, @Nullable String next) throws IOException {
    Headlines headlines = Headlines.of(plain(false).with(saving(nanos, start)));
    assertThat(headlines.pooling()).startsWith(pooling).endsWith(next == null ? "" : next);
  }

  @Test
  void theVerdictHasItsFigures() throws IOException {
    assertThat(Headlines.of(plain(false).with(saving(20_000, 1e8))).pooling())
        .contains(" confined arenas a second, and ")
        .contains(
            "pooling them saves at most 20.0 % of the processor time (an arena takes 20.00 us"
                + " without the agent and 4.0 ns with it, measured here on JDK 25.0.3).")
        .contains("The agent's start is paid back after about 5,000 arenas of a JVM, ")
        .endsWith(" of this load. To know what it saves, run './rockpool demo -- COMMAND'.");
    assertThat(Headlines.of(plain(false).with(saving(30, 1e8))).pooling())
        .contains("pooling them saves at most 0.03 % of the processor time");
  }

  /** The agent failed, so both sides measured the JDK's arenas. */
  @Test
  void anAgentThatFailedMeasuresNothing() {
    List<Run> jdk = List.of(new Run(24, 1e8, "25", "Jdk", ""));
    List<Run> failed = List.of(new Run(24.3, 2e8, "25", "Jdk", "[rockpool] the agent failed"));
    assertThatThrownBy(() -> Saving.of(jdk, failed))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("The agent must pool arenas in the JVM that measures it: it did not.")
        .hasMessageContaining("the agent failed");
    assertThatThrownBy(() -> Saving.of(jdk, List.of(new Run(5, 9e7, "25", "Pooled", ""))))
        .hasMessageContaining("a JVM with it took 10.00 ms less");
  }

  @Test
  void theBestOfTheRunsCounts() {
    Saving saving =
        Saving.of(
            List.of(new Run(24, 1e8, "25", "Jdk", ""), new Run(26, 9e7, "25", "Jdk", "")),
            List.of(new Run(6, 1.6e8, "25", "Ours", ""), new Run(5, 4e8, "25", "Ours", "")));
    assertThat(saving).isEqualTo(new Saving("25", 24, 5, 7e7, 2.5));
    assertThat(saving.toString())
        .endsWith("differed by a factor of 2.50, so this is rough; try again");
  }

  @Test
  void whatWasNotMeasuredIsNotSaid() throws IOException {
    assertThat(Headlines.of(plain(false)).headlines())
        .hasSize(4)
        .last()
        .extracting(Headline::text)
        .asString()
        .startsWith("Pooling: not measured, because nobody asked: ");
    Report large =
        report(Recorded.histogram("platform", Collections.nCopies(5000, Arena.of(70_000))));
    assertThat(Headlines.of(large).pooling())
        .isEqualTo("Pooling: no gain: all arenas are too large for the pool.");
  }

  /** JRuby opens 10,000 arenas by method handles. */
  @Test
  void nothingSeenIsNotNothingThere() throws IOException {
    Headlines headlines = Headlines.of(report(new RecorderSettings()));
    assertThat(headlines.pooling())
        .isEqualTo("Pooling: nothing to gain as far as was seen: no confined arena was closed.");
    assertThat(headlines.notSeen())
        .contains("reflection", "method-handle look-ups", "invokedynamic", "through JNI,");
  }
}
