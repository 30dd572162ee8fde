package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.count;
import static dev.rockpool.cli.report.Numbers.counted;

import dev.rockpool.cli.report.Verdict.Worth;
import dev.rockpool.cli.report.recording.Figures.Setting;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.internal.SizeSetting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Sentences on call sites, each with the figures that it rests on. */
final class Advice {
  /** Seconds in which the live bytes of a site must have grown since they last fell. */
  private static final long GROWING_SECONDS = 3;

  /** Buffers or arenas from which on nothing freed is worth a sentence. */
  private static final long MANY = 10;

  private static final double NEARLY_ALL = 0.9;

  /** The part of all live bytes from which on a site that freed nothing is worth a sentence. */
  private static final double MUCH = 0.1;

  private final Setting setting;
  private final Worth worth;
  private final long liveBytes;
  private final List<String> sentences = new ArrayList<>();

  private Advice(Report report) {
    setting = report.setting();
    worth = Worth.of(report);
    liveBytes = report.holders().stream().mapToLong(each -> each.get(Field.LIVE_BYTES)).sum();
  }

  static List<String> of(Report report) {
    Advice advice = new Advice(report);
    report.holders().forEach(advice::holder);
    Set<String> leaking = // leaked arenas use up a pool, so close them first
        report.holders().stream()
            .filter(holder -> holder.get(Field.LEAKED) > 0)
            .map(Holder::site)
            .collect(Collectors.toSet());
    report.figures().sites().values().stream()
        .filter(site -> !advice.worth.isNever() && !leaking.contains(site.site()))
        .sorted(Comparator.comparing(Site::site))
        .forEach(advice::pool);
    return advice.sentences;
  }

  private void add(String verdict, String name, String rest) {
    sentences.add(verdict + ": " + name + ": " + rest);
  }

  private void holder(Holder holder) {
    if (holder.get(Field.LEAKED) > 0) {
      add("Leak", holder.name(), leak(holder));
    }
    if (grows(holder)) {
      add("Only grows", holder.name(), growth(holder));
    }
    if (holder.get(Field.CLOSED) == 0
        && holder.get(Field.LEAKED) == 0
        && !grows(holder)
        && holder.get(Field.LIVE_BYTES) > MUCH * liveBytes) { // perhaps rightly: needed to the end
      add(
          "Never freed",
          holder.name(),
          "%s, %s of all live bytes%s. Free it where it is not needed to the end."
              .formatted(
                  live(holder),
                  Numbers.share(holder.get(Field.LIVE_BYTES), liveBytes),
                  oldest(holder)));
    }
    if (couldBeConfined(holder)) {
      add("Could be confined", holder.name(), confined(holder) + fromPool(holder) + ".");
    }
  }

  private static String leak(Holder holder) {
    return "%s with %s became unreachable without close, so this memory is never freed%s."
            .formatted(
                counted(holder.get(Field.LEAKED), "arena"),
                Numbers.bytes(holder.get(Field.LEAKED_BYTES)),
                holder.kind().equals("confined")
                    ? " (found among the followed ones; %s in all were not closed)"
                        .formatted(count(holder.get(Field.LIVE)))
                    : "")
        + " Close each arena, by try-with-resources.";
  }

  /** Whether a site holds ever more memory that something still reaches. */
  static boolean grows(Holder holder) {
    boolean onlyGrows = holder.get(Field.CLOSED) == 0 && holder.get(Field.ALLOCATIONS) >= MANY;
    return holder.get(Field.LIVE) > 0
        && holder.get(Field.LEAKED) == 0
        && (holder.get(Field.GROWING) >= GROWING_SECONDS || onlyGrows);
  }

  private static String growth(Holder holder) {
    return "%s by %s%s%s. Look for the owner that keeps it."
        .formatted(
            live(holder),
            counted(holder.get(Field.ALLOCATIONS), "allocation"),
            oldest(holder),
            holder.get(Field.GROWING) >= GROWING_SECONDS
                ? "; grew in " + holder.get(Field.GROWING) + " seconds since it last fell"
                : "");
  }

  private static String live(Holder holder) {
    return "%s of %s live with %s"
        .formatted(
            count(holder.get(Field.LIVE)),
            count(holder.get(Field.OPENED)),
            Numbers.bytes(holder.get(Field.LIVE_BYTES)));
  }

  private static String oldest(Holder holder) {
    return holder.get(Field.OLDEST) == 0
        ? ""
        : ", the oldest for " + Numbers.time(holder.get(Field.OLDEST));
  }

  /** Whether confined arenas would probably do, which cost less. */
  static boolean couldBeConfined(Holder holder) {
    return holder.get(Field.BY_OTHERS) == 0
        && holder.get(Field.CLOSED) > 0
        && (holder.kind().equals("shared") || holder.kind().equals("automatic"));
  }

  private static String confined(Holder holder) {
    return holder.kind().equals("shared")
        ? "%s, none allocated in or closed by a second thread; close took %s, the longest %s,"
                .formatted(
                    counted(holder.get(Field.OPENED), "shared arena"),
                    Numbers.time(holder.get(Field.CLOSE_TIME)),
                    Numbers.time(holder.get(Field.LONGEST_CLOSE)))
            + " and each close stops all threads for a moment. If no other thread reads the"
            + " segments, Arena.ofConfined() needs no such stop"
        : "%s freed by the garbage collector, none used by a second thread; they lived %s, at most"
                .formatted(
                    counted(holder.get(Field.CLOSED), "automatic arena"),
                    Numbers.time(holder.get(Field.MEAN_LIFE)))
            + " "
            + Numbers.time(holder.get(Field.LONGEST_LIFE))
            + ". Arena.ofConfined() in try-with-resources frees at once";
  }

  /** The pool's share, if it serves a mean arena. */
  private String fromPool(Holder holder) {
    long mean = holder.get(Field.BYTES) / Math.max(1, holder.get(Field.OPENED));
    return mean > setting.mostByteSize()
        ? ""
        : "; with " + count(mean) + " bytes an arena, the pool could serve it";
  }

  private void pool(Site site) {
    long most = setting.mostByteSize();
    double few = (1 - NEARLY_ALL) * site.allocating();
    if (site.missed() < MANY || site.missed() < few) {
      return;
    }
    String name = "confined " + site.site();
    String counts =
        "%s of %s not from the pool, with %s bytes on average"
            .formatted(
                count(site.missed()),
                counted(site.allocating(), "arena"),
                count(site.bytes() / Math.max(1, site.arenas())));
    if (site.tooLarge(most) == 0) {
      if (!setting.isOn()) {
        add("The pool takes it", name, counts + ". " + remedy());
      }
      return;
    }
    long enough = most;
    while (enough <= HitRates.LARGEST_BLOCK
        && site.footprints().upTo(enough) < NEARLY_ALL * site.arenas()) {
      enough *= 2;
    }
    if (site.tooLarge(most) >= few && enough > most && enough <= HitRates.LARGEST_BLOCK) {
      add(
          "Larger than a block",
          name,
          "%s; the pool has %s for one. With -D%s=%s %s of its arenas fit."
              .formatted(
                  counts,
                  Numbers.size(most),
                  SizeSetting.BLOCK_SIZE.property(),
                  enough,
                  Numbers.share(site.footprints().upTo(enough), site.arenas())));
    }
  }

  /** The remedy for a pool that was off. */
  private String remedy() {
    String arenasOn = "the agent's option arenas=on.";
    return switch (worth) {
      case GAIN -> "Run with " + arenasOn;
      case TOO_SHORT, BREAK_EVEN -> "Run the longer ones with " + arenasOn;
      default -> "Once a forecast says that it is worth it, run with " + arenasOn;
    };
  }
}
