package dev.rockpool.cli.report;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report in three sentences: worth it or not, leaks, and the change to make. */
record Verdict(String worth, String leaks, String change) {
  /** Less than this part of the processor time is not worth an agent. */
  private static final double LITTLE = 0.01;

  private static final double ONE_SECOND = 1e9;
  private static final String LEAVE_OUT = "leave the agent out";

  static Verdict of(Report report) {
    return new Verdict(
        worth(report), "Leaks: " + leaks(report) + ".", "Change: " + change(report) + ".");
  }

  List<String> sentences() {
    return List.of(worth, leaks, change);
  }

  private static String leaks(Report report) {
    if (report.figures().holders().all().isEmpty()) {
      return "not recorded";
    }
    String all =
        joined(
            named(leaking(report), " became unreachable without close"),
            named(growing(report), " only grow"));
    return all.isEmpty() ? "none found" : all;
  }

  private static List<Holder> leaking(Report report) {
    return report.figures().holders().all().stream()
        .filter(holder -> holder.get(Field.LEAKED) > 0)
        .sorted(Comparator.comparingLong(holder -> -holder.get(Field.LEAKED_BYTES)))
        .toList();
  }

  private static List<Holder> growing(Report report) {
    return report.figures().holders().all().stream().filter(Advice::grows).toList();
  }

  private static String named(List<Holder> holders, String what) {
    return holders.isEmpty()
        ? ""
        : Report.counted(holders.size(), "site") + what + ", first " + holders.getFirst().site();
  }

  private static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
  }

  private static String worth(Report report) {
    Forecast forecast = report.forecast();
    if (report.all().arenas() == 0) {
      return "Not worth it: the program closed no confined arena.";
    }
    if (isTooFew(report)) {
      return "Not worth it: a JVM closed "
          + Report.counted(arenasOfJvm(report), "confined arena")
          + " while recorded, and the agent's pool starts after "
          + Numbers.count(SizeSetting.START_AFTER_DEFAULT)
          + " ("
          + SizeSetting.START_AFTER_PROPERTY
          + "); a longer run needs a longer recording.";
    }
    if (forecast == null) {
      return "Worth it? Not calibrated, no forecast: " + report.uncalibrated() + ".";
    }
    if (forecast.calibration().costs().isEmpty()) {
      return "Not worth it: the program opened no arena that the pool could serve.";
    }
    String jdk = " on JDK " + forecast.calibration().jdk();
    String waiting = waiting(report, forecast);
    if (!waiting.isEmpty() && !forecast.isGain()) {
      return "Not for this server: "
          + waiting
          + " wait inside open arenas, which no pool can serve; "
          + effect(forecast)
          + jdk
          + ".";
    }
    if (!forecast.isGain()) {
      return "Not worth it" + jdk + ": " + effect(forecast) + ".";
    }
    return worthAfterStart(forecast, jdk);
  }

  private static boolean isTooFew(Report report) {
    return arenasOfJvm(report) < SizeSetting.START_AFTER_DEFAULT;
  }

  private static long arenasOfJvm(Report report) {
    return report.all().arenas() / Math.max(1, report.figures().jvms());
  }

  private static String worthAfterStart(Forecast forecast, String jdk) {
    String pays = pays(forecast);
    String opened = "the JVMs opened " + Numbers.about(forecast.arenasOfJvm()) + " each";
    if (forecast.knowsProcessorTime() && forecast.share().high() < LITTLE) {
      return "Hardly worth it" + jdk + ": " + effect(forecast) + pays + ".";
    }
    if (forecast.arenasOfJvm() < forecast.payOffArenas().low()) {
      return "Not worth it for runs this short"
          + jdk
          + ": "
          + opened
          + "; a longer run "
          + effect(forecast)
          + pays
          + ".";
    }
    if (forecast.arenasOfJvm() < forecast.payOffArenas().high()) {
      return "Perhaps worth it, in longer runs"
          + jdk
          + ": "
          + opened
          + "; a longer run "
          + effect(forecast)
          + pays
          + ".";
    }
    return "Worth it" + jdk + ": Rockpool " + effect(forecast) + pays + ".";
  }

  /** The arenas, and the time, in which a gain makes up for start and warm-up. */
  static String pays(Forecast forecast) {
    Range arenas = forecast.payOffArenas();
    Range nanos = forecast.payOffNanos();
    if (arenas.high() <= 0) {
      return "; start and warm-up took no longer";
    }
    return "; start and warm-up are paid for after "
        + (arenas.low() <= 0
            ? "at most " + Numbers.about(arenas.high())
            : arenas.text(Numbers::about))
        + " arenas of a JVM, "
        + (nanos.high() <= ONE_SECOND
            ? "within a second"
            : nanos.low() < ONE_SECOND
                ? "after at most " + seconds(nanos.high())
                : "after " + nanos.text(Verdict::seconds))
        + " of this load";
  }

  private static String seconds(double nanos) {
    return Progress.text(Duration.ofNanos(Math.round(nanos)));
  }

  private static String effect(Forecast forecast) {
    Range each = forecast.nanosPerArena();
    if (forecast.isLoss()) {
      return "an arena takes " + each.times(-1).text(Numbers::time) + " longer";
    }
    String ofEach = each.text(Numbers::time) + " for each arena";
    if (!forecast.isGain()) {
      return "no sure gain, " + ofEach;
    }
    return "saves "
        + (forecast.knowsProcessorTime()
            ? forecast.share().text(Verdict::percent) + " of the processor time, "
            : "")
        + ofEach;
  }

  private static String percent(double share) {
    return Statistics.threeDigits(100 * share) + " %";
  }

  /** The virtual threads that wait; empty if none do. */
  private static String waiting(Report report, Forecast forecast) {
    return forecast.calibration().costs().keySet().stream().anyMatch(Load::waits)
        ? "about " + Numbers.about(report.figures().openAtOnce()) + " virtual threads at once"
        : "";
  }

  private static String change(Report report) {
    String program = ofProgram(report);
    String agent = ofAgent(report);
    return program.isEmpty() && agent.equals(LEAVE_OUT)
        ? "nothing; " + agent
        : joined(program, agent);
  }

  /** Changes to the program: leaks first, and arenas that cost too much only without leaks. */
  private static String ofProgram(Report report) {
    String leaks =
        joined(
            sites("close the arenas of ", leaking(report)),
            sites("find the owner of ", growing(report)));
    return leaks.isEmpty()
        ? sites(
            "try Arena.ofConfined() in ",
            report.figures().holders().all().stream().filter(Advice::couldBeConfined).toList())
        : leaks;
  }

  private static String sites(String what, List<Holder> holders) {
    if (holders.isEmpty()) {
      return "";
    }
    String first = holders.getFirst().kind() + " " + holders.getFirst().site();
    return what
        + (holders.size() == 1
            ? first
            : Report.counted(holders.size(), "site") + ", first " + first);
  }

  private static String ofAgent(Report report) {
    Forecast forecast = report.forecast();
    if (!isTooFew(report) && forecast == null) {
      return "calibrate, without --no-calibration and with --jdk HOME of the program's JDK";
    }
    if (forecast == null
        || isTooFew(report)
        || !forecast.isGain()
        || (forecast.knowsProcessorTime() && forecast.share().high() < LITTLE)
        || forecast.arenasOfJvm() < forecast.payOffArenas().low()) {
      return LEAVE_OUT;
    }
    return "start with -javaagent:rockpool-agent.jar" + slab(report) + excluded(forecast);
  }

  private static String slab(Report report) {
    OptionalLong slab = report.hitRates().leastSlab(990);
    return slab.isPresent() && slab.getAsLong() > report.setting().slabByteSize()
        ? " and -Drockpool.slab.size=" + slab.getAsLong() + ", which fits 99 % of the arenas"
        : "";
  }

  /** A kind of thread that loses, while all together gain. */
  private static String excluded(Forecast forecast) {
    return forecast.calibration().costs().entrySet().stream()
        .filter(cost -> cost.getValue().gain().high() < 0)
        .map(cost -> cost.getKey().kind().name().toLowerCase(Locale.ROOT))
        .map(kind -> ", and exclude classes that open arenas on " + kind + " threads, which lose")
        .collect(Collectors.joining());
  }
}
