package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.about;
import static dev.rockpool.cli.report.Numbers.counted;

import dev.rockpool.cli.report.Savings.Range;
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
  private static final String LEAVE_OUT = "leave the agent out";

  static Verdict of(Report report) {
    List<Holder> leaking =
        holders(report, holder -> holder.get(Field.LEAKED) > 0).stream()
            .sorted(Comparator.comparingLong(holder -> -holder.get(Field.LEAKED_BYTES)))
            .toList();
    List<Holder> growing = holders(report, Advice::grows);
    String leaks =
        joined(named(leaking, " became unreachable without close"), named(growing, " only grow"));
    String none = report.holders().isEmpty() ? "not recorded" : "none found";
    String program =
        joined(sites("close the arenas of ", leaking), sites("find the owner of ", growing));
    if (program.isEmpty()) { // arenas that cost too much matter only without leaks
      program = sites("try Arena.ofConfined() in ", holders(report, Advice::couldBeConfined));
    }
    String agent = agent(report);
    return new Verdict(
        worth(report),
        "Leaks: " + (leaks.isEmpty() ? none : leaks) + ".",
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
    Savings savings = report.savings();
    if (report.all().arenas() == 0) {
      return "Not worth it: the program closed no confined arena.";
    }
    if (isTooFew(report)) {
      return "Not worth it: a JVM closed %s while recorded, and the agent's pool starts after %s"
              .formatted(
                  counted(arenasOfJvm(report), "confined arena"),
                  Numbers.count(SizeSetting.START_AFTER_DEFAULT))
          + " (%s); a longer run needs a longer recording."
              .formatted(SizeSetting.START_AFTER_PROPERTY);
    }
    if (savings == null) {
      return "Worth it? Not calibrated, no forecast: " + report.uncalibrated() + ".";
    }
    Calibration calibration = savings.calibration();
    if (calibration.costs().isEmpty()) {
      return "Not worth it: the program opened no arena that the pool could serve.";
    }
    String jdk = " on JDK " + calibration.jdk();
    String effect = effect(savings);
    if (!savings.isGain()) {
      return calibration.costs().keySet().stream().anyMatch(Load::waits)
          ? "Not for this server: about "
              + about(report.figures().openAtOnce())
              + " virtual threads at once wait inside open arenas, which no pool can serve; "
              + effect
              + jdk
              + "."
          : "Not worth it" + jdk + ": " + effect + ".";
    }
    effect += pays(savings) + ".";
    if (savings.isLittle()) {
      return "Hardly worth it" + jdk + ": " + effect;
    }
    if (savings.net().low() > 0) {
      return "Worth it" + jdk + ": Rockpool " + effect;
    }
    return (savings.net().isUnsure()
            ? "About break-even for runs this short, no sure gain or loss,"
            : "Not worth it for runs this short")
        + jdk
        + ": the JVMs opened "
        + about(savings.arenasOfJvm())
        + " each; a longer run "
        + effect;
  }

  private static boolean isTooFew(Report report) {
    return arenasOfJvm(report) < SizeSetting.START_AFTER_DEFAULT;
  }

  private static long arenasOfJvm(Report report) {
    return report.all().arenas() / Math.max(1, report.figures().jvms());
  }

  /** The arenas, and the time, in which a gain makes up for start and warm-up. */
  static String pays(Savings savings) {
    Range arenas = savings.payOffArenas();
    Range nanos = savings.payOffNanos();
    if (arenas.high() <= 0) {
      return "; start and warm-up took no longer";
    }
    String most = "at most ";
    return "; start and warm-up are paid for after "
        + (arenas.low() <= 0 ? most + about(arenas.high()) : arenas.text(Numbers::about))
        + " arenas of a JVM, "
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
    Savings savings = report.savings();
    if (isTooFew(report)) {
      return LEAVE_OUT;
    }
    if (savings == null) {
      return "calibrate, without --no-calibration and with --jdk HOME of the program's JDK";
    }
    if (!savings.isWorth()) {
      return LEAVE_OUT;
    }
    OptionalLong slab = report.hitRates().leastSlab(990);
    return "start with -javaagent:rockpool-agent.jar"
        + (slab.isPresent() && slab.getAsLong() > report.setting().slabByteSize()
            ? " and -Drockpool.slab.size=" + slab.getAsLong() + ", which fits 99 % of the arenas"
            : "")
        + excluded(savings);
  }

  /** A kind of thread that loses, while all together gain. */
  private static String excluded(Savings savings) {
    return savings.calibration().costs().entrySet().stream()
        .filter(cost -> cost.getValue().gain().high() < 0)
        .map(cost -> cost.getKey().kind().name().toLowerCase(Locale.ROOT))
        .map(kind -> ", and exclude classes that open arenas on " + kind + " threads, which lose")
        .collect(Collectors.joining());
  }
}
