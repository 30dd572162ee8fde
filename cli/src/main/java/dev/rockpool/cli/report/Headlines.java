package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.about;
import static dev.rockpool.cli.report.Numbers.counted;
import static dev.rockpool.cli.report.Numbers.joined;

import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Headline.Tone;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The report in sentences: what holds memory comes first, because most readers come for that, and
 * whether pooling pays last.
 *
 * @param cCode empty if nobody is known to have much
 * @param tone that of {@code leaks}
 */
record Headlines(
    String process, String cCode, String leaks, Tone tone, String notSeen, String pooling) {
  private static final String DEMO = "'" + Installation.command("demo", "--", "COMMAND") + "'";
  private static final String UNFOLLOWED =
      "unreachable confined arenas were not looked for (record.leaks=off)";

  private static final class Pooling {
    private static final String NO_GAIN = "Pooling: no gain: ";

    private Pooling() {}

    static String of(Report report) {
      if (report.all().arenas() == 0) {
        return "Pooling: nothing to gain as far as was seen: no confined arena was closed.";
      }
      if (Gain.poolable(report.all()) == 0) {
        return NO_GAIN + "all arenas are too large for the pool.";
      }
      Gain gain = report.gain();
      if (gain == null) {
        return "Pooling: not measured, because %s: %s. To measure, name with --jdk HOME the JDK that the program ran on."
            .formatted(report.unmeasured(), closed(report));
      }
      Saving saving = gain.saving();
      if (saving.nanos() == 0) {
        return NO_GAIN + "it saves no time, " + saving + ".";
      }
      if (gain.isLittle()) {
        return NO_GAIN + closed(report) + most(gain) + ".";
      }
      if (!gain.paysStartBack()) {
        return NO_GAIN
            + "of runs this short: a JVM closed %s confined arenas, which saves it %s at"
                .formatted(about(gain.arenas()), Numbers.time(gain.nanos()))
            + " most, and the agent's start takes "
            + Numbers.time(saving.startNanos())
            + " ("
            + saving
            + "). "
            + payBack(gain)
            + " For longer runs measure with "
            + DEMO
            + ".";
      }
      return "Pooling: perhaps a gain: %s%s. %s To know what it saves, run %s."
          .formatted(closed(report), most(gain), payBack(gain), DEMO);
    }

    private static String closed(Report report) {
      double perSecond = Gain.perSecond(report);
      return perSecond < 1
          ? counted(report.all().arenas(), "confined arena") + " were closed"
          : "a JVM closed about " + about(perSecond) + " confined arenas a second";
    }

    private static String most(Gain gain) {
      String share =
          Double.isNaN(gain.share())
              ? Numbers.time(gain.nanos()) + " in each JVM"
              : percent(gain.share()) + " of the processor time";
      return ", and pooling them saves at most " + share + " (" + gain.saving() + ")";
    }

    /** The arenas, and the time if there is a rate, after which a gain makes up for the start. */
    private static String payBack(Gain gain) {
      return "The agent's start is paid back after about %s arenas of a JVM%s."
          .formatted(
              about(gain.payBackArenas()),
              gain.perSecond() == 0
                  ? ""
                  : ", "
                      + Numbers.time(1e9 * gain.payBackArenas() / gain.perSecond())
                      + " of this load");
    }

    private static String percent(double share) {
      return share < 0.0001 ? "0.01 %" : Statistics.threeDigits(100 * share) + " %";
    }
  }

  static Headlines of(Report report) {
    List<Holder> leaking =
        holders(report, holder -> holder.leaks() > 0).stream()
            .sorted(
                Comparator.<Holder>comparingLong(holder -> -holder.get(Field.LEAKED_BYTES))
                    .thenComparingLong(holder -> -holder.leaks()))
            .toList();
    long leaked = leaking.stream().mapToLong(Holder::leaks).sum();
    List<Holder> growing = holders(report, Advice::grows);
    OwnerSection owners = report.owners();
    String leaks =
        joined(
            owners.leaks(),
            Numbers.sites(
                "at least " + counted(leaked, "arena") + " left open by ", names(report, leaking)),
            Numbers.sites("live bytes grow at ", names(report, growing)));
    ProcessSummary process = report.process();
    CCodeSection cCode = report.cCode();
    boolean isUnexplained = process != null && process.hasGrown();
    String live = live(report);
    boolean isUnfollowed = report.figures().isUnfollowed();
    return new Headlines(
        process == null
            ? "Process: no recording has looks at the memory of its process."
            : process.sentence(),
        cCode == null ? "" : cCode.sentence(),
        "Leaks: "
            + joined(
                leaks.isEmpty() ? noLeak(isUnexplained) : leaks,
                leaks.isEmpty() ? live : "",
                isUnfollowed ? UNFOLLOWED : "")
            + ".",
        !leaks.isEmpty()
            ? Tone.BAD
            : isUnexplained || isUnfollowed || !live.isEmpty() ? Tone.NEITHER : Tone.GOOD,
        notSeen(report),
        Pooling.of(report));
  }

  /** That Java code leaks nothing does not say so of C code. */
  private static String noLeak(boolean hasGrown) {
    return hasGrown ? "none found in Java code, while the process grew" : "none found";
  }

  /** Memory that is open where no leak was found: a leak may still show. */
  private static String live(Report report) {
    List<Holder> live =
        holders(report, holder -> holder.isSite() && holder.get(Field.LIVE_BYTES) > 0);
    long bytes = live.stream().mapToLong(holder -> holder.get(Field.LIVE_BYTES)).sum();
    return live.isEmpty()
        ? ""
        : "still live at the end were %s%s at %s"
            .formatted(
                live.stream().anyMatch(Holder::isCollected) ? "at most " : "",
                Numbers.bytes(bytes),
                counted(live.size(), "site"));
  }

  /** Names the blind spots: that nothing was seen does not say that nothing is there. */
  private static String notSeen(Report report) {
    String unheld =
        holders(report, holder -> !holder.isSite()).stream()
            .map(
                holder ->
                    " who made %s of %s buffers;"
                        .formatted(Numbers.bytes(holder.mostBytes()), holder.kind()))
            .collect(Collectors.joining());
    return "Not seen:"
        + unheld
        + " arenas that are opened by reflection, method-handle look-ups or invokedynamic, as some"
        + " scripting languages do; files that reflection maps by the JDK's internals"
        + (report.cCode() == null
            ? "; and who holds what native code allocates, for itself or, through JNI, for Java"
                + " code, but for the objects that own it."
            : ".");
  }

  List<Headline> headlines() {
    List<Headline> headlines = new ArrayList<>();
    for (String each : List.of(process, cCode, leaks, notSeen, pooling)) {
      if (!each.isEmpty()) {
        headlines.add(new Headline(each.equals(leaks) ? tone : Tone.NEITHER, each));
      }
    }
    return headlines;
  }

  private static List<Holder> holders(Report report, Predicate<Holder> which) {
    return report.holders().stream().filter(which).toList();
  }

  private static List<String> names(Report report, List<Holder> holders) {
    Callers callers = Callers.of(report);
    return holders.stream().map(callers::named).toList();
  }
}
