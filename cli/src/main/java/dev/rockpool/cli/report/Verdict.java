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
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The report in four sentences: worth it or not, leaks, the change to make, and blind spots. */
record Verdict(String worth, String leaks, String change, String notSeen) {
  private static final String DEMO = "'" + Installation.command("demo", "--", "COMMAND") + "'";
  private static final String UNFOLLOWED =
      "unreachable confined arenas were not looked for (record.leaks=off)";

  /** Whether pooling pays, and what to do about the agent. */
  private record Worth(String sentence, String change) {
    private static final String LEAVE_OUT = "leave the agent out";

    static Worth of(Report report) {
      if (report.all().arenas() == 0) {
        return new Worth(
            "Not worth it as far as was seen: no confined arena was closed.",
            LEAVE_OUT + ", unless the program opens arenas in ways that are not seen");
      }
      if (Gain.poolable(report.all()) == 0) {
        return new Worth("Not worth it: all arenas are too large for the pool.", LEAVE_OUT);
      }
      Gain gain = report.gain();
      if (gain == null) {
        return new Worth(
            "Worth it? Not measured, because %s: %s."
                .formatted(report.unmeasured(), closed(report)),
            "measure, with --jdk HOME if the program ran on another JDK");
      }
      Saving saving = gain.saving();
      if (saving.nanos() == 0) {
        return new Worth("Not worth it: pooling saves no time, " + saving + ".", LEAVE_OUT);
      }
      if (gain.isLittle()) {
        return new Worth("Not worth it: " + closed(report) + most(gain) + ".", LEAVE_OUT);
      }
      if (!gain.paysStartBack()) {
        return new Worth(
            "Not worth it for runs this short: a JVM closed %s confined arenas, which saves it %s at"
                    .formatted(about(gain.arenas()), Numbers.time(gain.nanos()))
                + " most, and the agent's start takes "
                + Numbers.time(saving.startNanos())
                + " ("
                + saving
                + "). "
                + payBack(gain),
            LEAVE_OUT + " of runs this short; for longer ones measure with " + DEMO);
      }
      return new Worth(
          "Perhaps worth it: %s%s. %s To know what it saves, run %s."
              .formatted(closed(report), most(gain), payBack(gain), DEMO),
          "measure with " + DEMO);
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

  static Verdict of(Report report) {
    List<Holder> leaking =
        holders(report, holder -> holder.leaks() > 0).stream()
            .sorted(
                Comparator.<Holder>comparingLong(holder -> -holder.get(Field.LEAKED_BYTES))
                    .thenComparingLong(holder -> -holder.leaks()))
            .toList();
    long leaked = leaking.stream().mapToLong(Holder::leaks).sum();
    List<Holder> growing = holders(report, Advice::grows);
    Owners owners = Owners.of(report);
    String leaks =
        joined(
            owners.leaks(),
            Numbers.sites(
                "at least " + counted(leaked, "arena") + " left open by ", names(leaking)),
            Numbers.sites("live bytes grow at ", names(growing)));
    String program =
        joined(
            owners.change(),
            Numbers.sites("close the arenas of ", names(leaking)),
            Numbers.sites("find the owner of ", names(growing)));
    if (program.isEmpty()) { // arenas that cost too much matter only without leaks
      program =
          Numbers.sites(
              "try Arena.ofConfined() in ", names(holders(report, Advice::couldBeConfined)));
    }
    Worth worth = Worth.of(report);
    return new Verdict(
        worth.sentence,
        "Leaks: "
            + joined(
                leaks.isEmpty() ? "none found" : leaks,
                leaks.isEmpty() ? live(report) : "",
                report.figures().isUnfollowed() ? UNFOLLOWED : "")
            + ".",
        "Change: " + joined(program, worth.change) + ".",
        notSeen(report));
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
        + " scripting languages do; the JDK's temporary buffers, which each thread keeps that reads"
        + " or writes heap buffers; files that reflection maps by the JDK's internals; and memory"
        + " that native code allocates, for itself or, through JNI, for Java code.";
  }

  List<String> sentences() {
    return List.of(worth, leaks, change, notSeen);
  }

  List<Headline> headlines() {
    return sentences().stream().map(text -> new Headline(tone(text), text)).toList();
  }

  private static Tone tone(String sentence) {
    boolean isGood = sentence.startsWith("Perhaps ") || sentence.startsWith("Leaks: none found");
    return isGood ? Tone.GOOD : sentence.startsWith("Leaks:") ? Tone.BAD : Tone.NEITHER;
  }

  private static List<Holder> holders(Report report, Predicate<Holder> which) {
    return report.holders().stream().filter(which).toList();
  }

  private static List<String> names(List<Holder> holders) {
    return holders.stream().map(Holder::name).toList();
  }
}
