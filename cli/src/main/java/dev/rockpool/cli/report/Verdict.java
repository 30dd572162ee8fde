package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.about;
import static dev.rockpool.cli.report.Numbers.counted;

import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.Statistics;
import dev.rockpool.internal.SizeSetting;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report in three sentences: worth it or not, leaks, and the change to make. */
record Verdict(String worth, String leaks, String change) {
  private static final double ONE_SECOND = 1e9;
  private static final double ONE_DAY = 86_400 * ONE_SECOND;
  private static final String UNFOLLOWED =
      "those of confined arenas were not looked for (record.leaks=off)";
  private static final String LEAVE_OUT = "leave the agent out";

  /** The cases of the first sentence, which the change and the {@link Advice} agree with. */
  enum Worth {
    NO_ARENA,
    TOO_FEW,
    UNKNOWN,
    NONE_SERVED,
    NO_SURE_GAIN,
    LITTLE_GAIN,

    /** A gain for each arena, but the recorded JVMs were too short for it. */
    TOO_SHORT,
    BREAK_EVEN,
    GAIN;

    static Worth of(Report report) {
      Savings savings = report.savings();
      if (report.all().arenas() == 0) {
        return NO_ARENA;
      }
      if (closedByJvm(report) < SizeSetting.START_AFTER_DEFAULT) {
        return TOO_FEW;
      }
      if (savings == null) {
        return UNKNOWN;
      }
      if (savings.calibration().costs().isEmpty()) {
        return NONE_SERVED;
      }
      if (!savings.isGain()) {
        return NO_SURE_GAIN;
      }
      if (savings.net().low() > 0 && !savings.isLittle()) {
        return GAIN;
      }
      if (savings.isLittle()) {
        return LITTLE_GAIN;
      }
      return savings.net().isUnsure() ? BREAK_EVEN : TOO_SHORT;
    }

    /** Whether no run of the program, however long, has a reason for the agent. */
    boolean isNever() {
      return switch (this) {
        case NO_ARENA, NONE_SERVED, NO_SURE_GAIN, LITTLE_GAIN -> true;
        case TOO_FEW, UNKNOWN, TOO_SHORT, BREAK_EVEN, GAIN -> false;
      };
    }
  }

  static Verdict of(Report report) {
    List<Holder> leaking =
        holders(report, holder -> holder.get(Field.LEAKED) > 0).stream()
            .sorted(Comparator.comparingLong(holder -> -holder.get(Field.LEAKED_BYTES)))
            .toList();
    List<Holder> growing = holders(report, Advice::grows);
    String leaks =
        joined(
            named(leaking, " became unreachable without close"),
            named(growing, growing.size() == 1 ? " only grows" : " only grow"));
    if (leaks.isEmpty()) {
      leaks = report.holders().isEmpty() ? "not recorded" : "none found";
    }
    String program =
        joined(sites("close the arenas of ", leaking), sites("find the owner of ", growing));
    if (program.isEmpty()) { // arenas that cost too much matter only without leaks
      program = sites("try Arena.ofConfined() in ", holders(report, Advice::couldBeConfined));
    }
    String agent = agent(report);
    return new Verdict(
        worth(report),
        "Leaks: " + joined(leaks, report.figures().isUnfollowed() ? UNFOLLOWED : "") + ".",
        "Change: "
            + (program.isEmpty() && agent.equals(LEAVE_OUT)
                ? "nothing; " + agent
                : joined(program, agent))
            + ".");
  }

  List<String> sentences() {
    return List.of(worth, leaks, change);
  }

  private static List<Holder> holders(Report report, Predicate<Holder> which) {
    return report.holders().stream().filter(which).toList();
  }

  private static String named(List<Holder> holders, String what) {
    return holders.isEmpty()
        ? ""
        : counted(holders.size(), "site") + what + ", first " + holders.getFirst().site();
  }

  private static String sites(String what, List<Holder> holders) {
    return Numbers.sites(what, holders.stream().map(Holder::name).toList());
  }

  private static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
  }

  private static String worth(Report report) {
    return switch (Worth.of(report)) {
      case NO_ARENA -> "Not worth it: the program closed no confined arena.";
      case TOO_FEW ->
          "Not worth it: a JVM closed %s while recorded, and the agent's pool starts after %s"
                  .formatted(
                      counted(closedByJvm(report), "confined arena"),
                      Numbers.count(SizeSetting.START_AFTER_DEFAULT))
              + " (%s); a longer run needs a longer recording."
                  .formatted(SizeSetting.START_AFTER.property());
      case UNKNOWN -> "Worth it? Not calibrated, no forecast: " + report.uncalibrated() + ".";
      case NONE_SERVED -> "Not worth it: the program opened no arena that the pool could serve.";
      case NO_SURE_GAIN -> "Not worth it" + onJdk(report) + ": " + effect(report.forecast()) + ".";
      case LITTLE_GAIN -> "Hardly worth it" + onJdk(report) + ": Rockpool " + gain(report);
      case GAIN -> "Worth it" + onJdk(report) + ": Rockpool " + gain(report);
      case BREAK_EVEN ->
          "About break-even for runs this short, no sure gain or loss," + ofLonger(report);
      case TOO_SHORT -> "Not worth it for runs this short" + ofLonger(report);
    };
  }

  private static String onJdk(Report report) {
    return " on JDK " + report.forecast().calibration().jdk();
  }

  private static String gain(Report report) {
    return effect(report.forecast()) + pays(report.forecast()) + ".";
  }

  private static String ofLonger(Report report) {
    return onJdk(report)
        + ": the JVMs opened "
        + about(report.forecast().closedByJvm())
        + " each; a longer run "
        + gain(report);
  }

  private static long closedByJvm(Report report) {
    return report.all().arenas() / Math.max(1, report.figures().jvms());
  }

  /**
   * The arenas, and the time if there is a rate, in which a gain makes up for start and warm-up.
   */
  static String pays(Savings savings) {
    Range arenas = savings.payOffArenas();
    if (arenas.high() <= 0) {
      return "; start and warm-up took no longer";
    }
    String most = "at most ";
    String paid =
        "; start and warm-up are paid for after "
            + (arenas.low() <= 0 ? most + about(arenas.high()) : arenas.text(Numbers::about))
            + " arenas of a JVM";
    if (savings.arenasPerSecond() == 0) {
      return paid;
    }
    Range nanos = savings.payOffNanos();
    if (nanos.low() > ONE_DAY) {
      return "; start and warm-up are hardly ever paid for by this load";
    }
    return paid
        + ", "
        + (nanos.high() <= ONE_SECOND
            ? "within a second"
            : "after "
                + (nanos.low() < ONE_SECOND
                    ? most + seconds(nanos.high())
                    : nanos.text(Verdict::seconds)))
        + " of this load";
  }

  private static String seconds(double nanos) {
    return Progress.text(Duration.ofNanos(Math.round(nanos)));
  }

  private static String effect(Savings savings) {
    Range each = savings.nanosPerArena();
    if (savings.isLoss()) {
      return "an arena takes " + each.times(-1).text(Numbers::time) + " longer";
    }
    String ofEach = each.text(Numbers::time) + " for each arena";
    if (!savings.isGain()) {
      return "no sure gain, " + ofEach;
    }
    return "saves "
        + (savings.knowsProcessorTime()
            ? savings.share().text(Verdict::percent) + " of the processor time, "
            : "")
        + ofEach;
  }

  private static String percent(double share) {
    return Statistics.threeDigits(100 * share) + " %";
  }

  private static String agent(Report report) {
    return switch (Worth.of(report)) {
      case NO_ARENA, NONE_SERVED, NO_SURE_GAIN, LITTLE_GAIN -> LEAVE_OUT;
      case TOO_FEW -> LEAVE_OUT + " of runs this short";
      case UNKNOWN ->
          "calibrate, without --no-calibration and with --jdk HOME of the program's JDK";
      case TOO_SHORT -> LEAVE_OUT + " of runs this short; start longer ones" + withAgent(report);
      case BREAK_EVEN ->
          "runs this short may do with or without the agent; start longer ones" + withAgent(report);
      case GAIN -> "start" + withAgent(report);
    };
  }

  private static String withAgent(Report report) {
    OptionalLong block = report.hitRates().better();
    return " with -javaagent:rockpool-agent.jar"
        + (block.isPresent()
            ? " and -D%s=%d, which fits 99 %% of the arenas and takes up to %s a thread"
                .formatted(
                    SizeSetting.BLOCK_SIZE.property(),
                    block.getAsLong(),
                    Numbers.bytes(block.getAsLong() * report.setting().blocksPerThread()))
            : "")
        + excluded(report);
  }

  /** A kind of thread that loses, while all together gain. */
  private static String excluded(Report report) {
    return report.forecast().calibration().costs().entrySet().stream()
        .filter(cost -> cost.getValue().gain().high() < 0)
        .map(cost -> cost.getKey().kind().name().toLowerCase(Locale.ROOT))
        .map(kind -> ", and exclude classes that open arenas on " + kind + " threads, which lose")
        .collect(Collectors.joining());
  }
}
