package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.count;
import static dev.rockpool.cli.report.Numbers.counted;

import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import java.util.ArrayList;
import java.util.List;

/** Sentences on call sites, each with the figures that it rests on. */
final class Advice {
  /** Seconds in which the live bytes of a site must have grown. */
  private static final long GROWING_SECONDS = 3;

  /** The share of all live bytes from which on a site that freed nothing is worth a sentence. */
  private static final double MUCH = 0.1;

  private final long liveBytes;
  private final List<String> sentences = new ArrayList<>();

  private Advice(Report report) {
    liveBytes = report.holders().stream().mapToLong(each -> each.get(Field.LIVE_BYTES)).sum();
  }

  static List<String> of(Report report) {
    Advice advice = new Advice(report);
    report.holders().forEach(advice::addAll);
    return advice.sentences;
  }

  private void addAll(Holder holder) {
    if (holder.leaks() > 0) {
      add("Leak", holder, leak(holder));
    } else if (grows(holder)) {
      add(
          "Only grows",
          holder,
          "%s by %s%s; grew in %s seconds. Look for the owner that keeps it."
              .formatted(
                  live(holder),
                  counted(holder.get(Field.ALLOCATIONS), "allocation"),
                  oldest(holder),
                  count(holder.get(Field.GROWING))));
    } else if (holder.get(Field.CLOSED) == 0 && holder.get(Field.LIVE_BYTES) > MUCH * liveBytes) {
      String share = Numbers.share(holder.get(Field.LIVE_BYTES), liveBytes) + " of all live bytes";
      add(
          holder.isCollected() ? "Not collected yet" : "Never freed",
          holder,
          live(holder)
              + ", "
              + share
              + oldest(holder)
              + (holder.isCollected()
                  ? ". Only a garbage collection frees it, and none has freed any of it so far."
                  : ". Free it where it is not needed to the end."));
    }
    if (couldBeConfined(holder)) {
      add("Could be confined", holder, confined(holder));
    }
  }

  private void add(String verdict, Holder holder, String rest) {
    sentences.add(verdict + ": " + holder.name() + ": " + rest);
  }

  private static String leak(Holder holder) {
    List<String> found = new ArrayList<>();
    if (holder.get(Field.UNCLOSED_BY_ENDED) > 0) {
      found.add(
          "still open when their thread ended: %s of %s arenas, which nothing can close any more"
              .formatted(
                  count(holder.get(Field.UNCLOSED_BY_ENDED)), count(holder.get(Field.OPENED))));
    }
    if (holder.get(Field.LEAKED) > 0) {
      found.add(
          "%s with %s became unreachable without close, so this memory is never freed%s"
              .formatted(
                  counted(holder.get(Field.LEAKED), "arena"),
                  Numbers.bytes(holder.get(Field.LEAKED_BYTES)),
                  holder.kind().equals("confined")
                      ? " (found among the followed ones; %s in all were not closed)"
                          .formatted(count(holder.get(Field.LIVE)))
                      : ""));
    }
    return String.join("; ", found) + ". Close each arena, by try-with-resources.";
  }

  /** Whether a site holds ever more memory that something still reaches. */
  static boolean grows(Holder holder) {
    return holder.get(Field.LIVE) > 0
        && holder.leaks() == 0
        && holder.get(Field.GROWING) >= GROWING_SECONDS;
  }

  private static String live(Holder holder) {
    return "%s of %s live with %s%s"
        .formatted(
            count(holder.get(Field.LIVE)),
            count(holder.get(Field.OPENED)),
            holder.isCollected() ? "at most " : "",
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
    if (holder.kind().equals("shared")) {
      return "%s, none allocated in or closed by a second thread; close took %s, the longest %s,"
              .formatted(
                  counted(holder.get(Field.OPENED), "shared arena"),
                  Numbers.time(holder.get(Field.CLOSE_TIME)),
                  Numbers.time(holder.get(Field.LONGEST_CLOSE)))
          + " and each close stops all threads for a moment. If no other thread reads the"
          + " segments, Arena.ofConfined() needs no such stop.";
    }
    return "%s freed by the garbage collector, none allocated in by a second thread%s. If no other"
            .formatted(
                counted(holder.get(Field.CLOSED), "automatic arena"),
                holder.get(Field.LIFE_MEDIAN) == 0
                    ? ""
                    : "; half of them lived no longer than "
                        + Numbers.time(holder.get(Field.LIFE_MEDIAN)))
        + " thread reads the segments, Arena.ofConfined() in try-with-resources frees at once.";
  }
}
