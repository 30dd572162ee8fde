package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.recording.Holders.Field.ALLOCATIONS;
import static dev.rockpool.cli.report.recording.Holders.Field.BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.BY_OTHERS;
import static dev.rockpool.cli.report.recording.Holders.Field.CLOSED;
import static dev.rockpool.cli.report.recording.Holders.Field.CLOSE_TIME;
import static dev.rockpool.cli.report.recording.Holders.Field.GROWING;
import static dev.rockpool.cli.report.recording.Holders.Field.LEAKED;
import static dev.rockpool.cli.report.recording.Holders.Field.LEAKED_BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.LIVE;
import static dev.rockpool.cli.report.recording.Holders.Field.LIVE_BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.LONGEST_CLOSE;
import static dev.rockpool.cli.report.recording.Holders.Field.LONGEST_LIFE;
import static dev.rockpool.cli.report.recording.Holders.Field.MEAN_LIFE;
import static dev.rockpool.cli.report.recording.Holders.Field.OLDEST;
import static dev.rockpool.cli.report.recording.Holders.Field.ON_VIRTUAL;
import static dev.rockpool.cli.report.recording.Holders.Field.OPENED;

import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.SiteFigures;
import dev.rockpool.internal.SizeSetting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sentences on call sites, each with the figures that it rests on. */
final class Advice {
  /** Seconds in which a site must have grown, and never have shrunk meanwhile. */
  private static final long GROWING_SECONDS = 3;

  /** Buffers or arenas from which on nothing freed is worth a sentence. */
  private static final long MANY = 10;

  private static final double NEARLY_ALL = 0.9;

  /** The part of all live bytes from which on a site that freed nothing is worth a sentence. */
  private static final double MUCH = 0.1;

  private final Report report;
  private final List<String> sentences = new ArrayList<>();

  private Advice(Report report) {
    this.report = report;
  }

  static List<String> of(Report report) {
    Advice advice = new Advice(report);
    for (Holder holder : report.figures().holders().all()) {
      advice.leaks(holder);
      advice.growth(holder);
      advice.neverFreed(holder);
      advice.kind(holder);
    }
    Set<String> leaking = new HashSet<>(); // leaked arenas use up a pool, so close them first
    for (Holder holder : report.figures().holders().all()) {
      if (holder.get(LEAKED) > 0) {
        leaking.add(holder.site());
      }
    }
    report.figures().sites().entrySet().stream()
        .filter(site -> !leaking.contains(site.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(site -> advice.pool(site.getKey(), site.getValue()));
    return advice.sentences;
  }

  private void add(String verdict, Holder holder, String rest) {
    sentences.add(verdict + ": " + holder.kind() + " " + holder.site() + ": " + rest);
  }

  private void leaks(Holder holder) {
    if (holder.get(LEAKED) > 0) {
      add(
          "Leak",
          holder,
          Report.counted(holder.get(LEAKED), "arena")
              + " with "
              + Numbers.bytes(holder.get(LEAKED_BYTES))
              + " became unreachable without close, so this memory is never freed"
              + (holder.kind().equals("confined")
                  ? " (found among the followed ones; "
                      + Numbers.count(holder.get(LIVE))
                      + " in all were not closed)"
                  : "")
              + ". Close each arena, by try-with-resources.");
    }
  }

  /** Whether a site holds ever more memory that something still reaches. */
  static boolean grows(Holder holder) {
    boolean onlyGrows = holder.get(CLOSED) == 0 && holder.get(ALLOCATIONS) >= MANY;
    return holder.get(LIVE) > 0
        && holder.get(LEAKED) == 0
        && (holder.get(GROWING) >= GROWING_SECONDS || onlyGrows);
  }

  /** Whether confined arenas would probably do, which cost less. */
  static boolean couldBeConfined(Holder holder) {
    return holder.get(BY_OTHERS) == 0
        && holder.get(CLOSED) > 0
        && (holder.kind().equals("shared") || holder.kind().equals("automatic"));
  }

  private void growth(Holder holder) {
    boolean growsForLong = holder.get(GROWING) >= GROWING_SECONDS;
    if (grows(holder)) {
      add(
          "Only grows",
          holder,
          live(holder)
              + " by "
              + Report.counted(holder.get(ALLOCATIONS), "allocation")
              + oldest(holder)
              + (growsForLong
                  ? "; grew in " + holder.get(GROWING) + " seconds, and never fell"
                  : "")
              + ". Look for the owner that keeps it.");
    }
  }

  private static String live(Holder holder) {
    return Numbers.count(holder.get(LIVE))
        + " of "
        + Numbers.count(holder.get(OPENED))
        + " live with "
        + Numbers.bytes(holder.get(LIVE_BYTES));
  }

  private static String oldest(Holder holder) {
    return holder.get(OLDEST) == 0 ? "" : ", the oldest for " + time(holder, OLDEST);
  }

  /** Sites that hold much to the end, of which nothing tells whether they had to. */
  private void neverFreed(Holder holder) {
    long all =
        report.figures().holders().all().stream().mapToLong(each -> each.get(LIVE_BYTES)).sum();
    if (holder.get(CLOSED) == 0
        && holder.get(LEAKED) == 0
        && !grows(holder)
        && holder.get(LIVE_BYTES) > MUCH * all) {
      add(
          "Never freed",
          holder,
          live(holder)
              + ", "
              + Numbers.share(holder.get(LIVE_BYTES), all)
              + " of all live bytes"
              + oldest(holder)
              + ". Free it where it is not needed to the end.");
    }
  }

  private void kind(Holder holder) {
    if (!couldBeConfined(holder)) {
      return;
    }
    if (holder.kind().equals("shared")) {
      add(
          "Could be confined",
          holder,
          Report.counted(holder.get(OPENED), "shared arena")
              + ", none allocated in or closed by a second thread; close took "
              + time(holder, CLOSE_TIME)
              + ", the longest "
              + time(holder, LONGEST_CLOSE)
              + ", and each close stops all threads for a moment. If no other thread reads the"
              + " segments, Arena.ofConfined() needs no such stop"
              + fromPool(holder)
              + ".");
    } else {
      add(
          "Could be confined",
          holder,
          Report.counted(holder.get(CLOSED), "automatic arena")
              + " freed by the garbage collector, none used by a second thread; they lived "
              + time(holder, MEAN_LIFE)
              + ", at most "
              + time(holder, LONGEST_LIFE)
              + ". Arena.ofConfined() in try-with-resources frees at once"
              + fromPool(holder)
              + ".");
    }
  }

  private static String time(Holder holder, Field field) {
    return Numbers.time((double) holder.get(field));
  }

  /** The pool's share, if a mean arena fits in a slab. */
  private String fromPool(Holder holder) {
    long mean = holder.get(BYTES) / Math.max(1, holder.get(OPENED));
    return mean > report.setting().slabByteSize()
        ? ""
        : "; with " + Numbers.count(mean) + " bytes an arena, the pool serves it";
  }

  private void pool(String site, SiteFigures figures) {
    long slab = report.setting().slabByteSize();
    long allocating = figures.arenas() - figures.footprints().in(0);
    long tooLarge = Misses.tooLarge(figures, slab);
    if (figures.missed() < MANY || figures.missed() < (1 - NEARLY_ALL) * allocating) {
      return;
    }
    String counts =
        Numbers.count(figures.missed())
            + " of "
            + Report.counted(allocating, "arena")
            + " not from the pool, with "
            + Numbers.count(figures.bytes() / Math.max(1, figures.arenas()))
            + " bytes on average";
    if (tooLarge == 0) {
      sentences.add(
          (report.setting().isOn() ? "No slab left" : "The pool takes it")
              + ": confined "
              + site
              + ": "
              + counts
              + ", all within a slab of "
              + Numbers.size(slab)
              + ". "
              + (report.setting().isOn()
                  ? noneLeft(site, figures)
                  : "Run with the agent's option arenas=on."));
      return;
    }
    long enough = slab;
    while (enough <= HitRates.LARGEST_SLAB
        && figures.footprints().upTo(enough) < NEARLY_ALL * figures.arenas()) {
      enough *= 2;
    }
    if (tooLarge >= (1 - NEARLY_ALL) * allocating
        && enough > slab
        && enough <= HitRates.LARGEST_SLAB) {
      sentences.add(
          "Larger than a slab: confined "
              + site
              + ": "
              + counts
              + "; a slab has "
              + Numbers.size(slab)
              + ". With -Drockpool.slab.size="
              + enough
              + " "
              + Numbers.share(figures.footprints().upTo(enough), figures.arenas())
              + " of its arenas fit.");
    }
  }

  /** The likely reason, and the remedy. */
  private String noneLeft(String site, SiteFigures figures) {
    long slabs = report.setting().slabsPerThread();
    if (figures.deepest() >= slabs) {
      return "Up to "
          + figures.deepest()
          + " other arenas of the thread were open, and a thread has "
          + Report.counted(slabs, "slab")
          + ". Close arenas sooner, or try -D"
          + SizeSetting.SLABS_PER_THREAD.property()
          + "="
          + (figures.deepest() + 1)
          + ".";
    }
    boolean onVirtual =
        report.figures().holders().all().stream()
            .filter(holder -> holder.kind().equals("confined") && holder.site().equals(site))
            .anyMatch(holder -> 2 * holder.get(ON_VIRTUAL) > holder.get(OPENED));
    return onVirtual
        ? "Virtual threads that wait inside arenas keep the slabs. Close arenas before waiting."
        : "The first arenas of each thread share few slabs, and open arenas keep theirs. Reuse"
            + " threads, or close arenas sooner.";
  }
}
