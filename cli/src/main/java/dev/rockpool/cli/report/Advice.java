package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.count;
import static dev.rockpool.cli.report.Numbers.counted;
import static dev.rockpool.cli.report.Numbers.joined;

import dev.rockpool.cli.report.recording.Holders;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.ProcessLooks;
import dev.rockpool.cli.report.recording.ProcessLooks.Look;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Sentences on call sites, each with the figures that it rests on. */
final class Advice {
  /** Seconds in which the live bytes of a site must have grown. */
  private static final long GROWING_SECONDS = 3;

  /** The share of all live bytes from which on a site that freed nothing is worth a sentence. */
  private static final double MUCH = 0.1;

  /** The share of time from which on closing shared arenas is worth a sentence. */
  private static final double LONG = 0.001;

  private static final String UNKNOWN_OWNER =
      "The JVM counts these buffers, and no recorded site made them: classes of the JDK or excluded"
          + " ones did, or code that is not seen, or they were made before the recording began.";

  private static final String TEMPORARY =
      "Each thread that reads or writes heap buffers through a channel keeps one as large as its"
          + " largest: -Djdk.nio.maxCachedBufferSize=262144 keeps none that is larger, and direct"
          + " buffers need none.";

  private final long liveBytes;

  private final Callers callers;

  /** The live threads of the JVM that has most; 0 if not known. */
  private final long threads;

  /** The highest resident set of a process; the most there can be if it is not known. */
  private final long resident;

  /** Collections of the JVMs so far. */
  private final long collections;

  private final List<String> sentences = new ArrayList<>();

  private Advice(Report report) {
    liveBytes = liveBytes(report);
    Collection<ProcessLooks> memories = report.figures().memories().values();
    List<Look> looks = memories.stream().flatMap(memory -> memory.looks().stream()).toList();
    threads = memories.stream().mapToLong(ProcessLooks::threads).max().orElse(0);
    resident = looks.stream().mapToLong(Look::resident).max().orElse(Long.MAX_VALUE);
    collections = looks.stream().mapToLong(Look::collections).max().orElse(0);
    callers = Callers.of(report);
  }

  /** Returns those on leaks and on growth first. */
  static List<String> of(Report report) {
    Advice advice = new Advice(report);
    report.holders().stream()
        .sorted(Comparator.comparingInt(each -> each.leaks() > 0 ? 0 : grows(each) ? 1 : 2))
        .forEach(advice::addAll);
    return advice.sentences;
  }

  static long liveBytes(Report report) {
    return report.holders().stream().mapToLong(each -> each.get(Field.LIVE_BYTES)).sum();
  }

  private void addAll(Holder holder) {
    long bytes = holder.get(Field.LIVE_BYTES);
    boolean isMuch = bytes >= Holders.LITTLE && bytes > MUCH * liveBytes;
    if (!holder.isSite()) {
      if (isMuch) {
        add("Held by no site", holder, live(holder) + UNKNOWN_OWNER);
      }
    } else if (holder.leaks() > 0) {
      add("Leak", holder, leak(holder) + callers.sentence(holder));
    } else if (grows(holder)) {
      add("Grows", holder, live(holder) + growth(holder) + callers.sentence(holder));
    } else if (holder.kind().equals("temporary")) {
      if (isMuch) {
        add("Temporary buffers", holder, live(holder) + TEMPORARY);
      }
    } else if (isMuchAtPeak(holder)) {
      add("Most at the peak", holder, atPeak(holder) + callers.sentence(holder));
    } else if (holder.get(Field.CLOSED) == 0 && isMuch) {
      add(
          !holder.isCollected() ? "Not freed" : isHeld(holder) ? "Held" : "Not collected yet",
          holder,
          live(holder) + end(holder) + callers.sentence(holder));
    }
    if (couldBeConfined(holder)) {
      add("Could be confined", holder, confined(holder));
    } else if (isCostlyToClose(holder)) {
      add(
          "Costly to close",
          holder,
          close(holder) + " If they end together, one shared arena for all needs one close.");
    }
  }

  /** Whether much was live when the resident set was highest, and is not any more. */
  private boolean isMuchAtPeak(Holder holder) {
    long bytes = holder.get(Field.LIVE_BYTES_AT_PEAK);
    return bytes >= Holders.LITTLE
        && bytes > MUCH * resident
        && bytes > 2 * holder.get(Field.LIVE_BYTES);
  }

  private String atPeak(Holder holder) {
    return "%s with %s%s were live when the resident set was highest (%s), and %s are now."
        .formatted(
            count(holder.get(Field.LIVE_AT_PEAK)),
            holder.isCollected() ? "at most " : "",
            Numbers.bytes(holder.get(Field.LIVE_BYTES_AT_PEAK)),
            ProcessSummary.mebi(resident),
            Numbers.bytes(holder.get(Field.LIVE_BYTES)));
  }

  /** Whether a full collection has found what was made before it to be in use. */
  private static boolean isHeld(Holder holder) {
    return holder.get(Field.FULL_COLLECTIONS) > 0 && holder.get(Field.KEPT_BY_FULL) > 0;
  }

  private void add(String verdict, Holder holder, String rest) {
    sentences.add(verdict + ": " + holder.name() + ": " + rest);
  }

  private String live(Holder holder) {
    String number =
        count(holder.get(Field.LIVE)) + " of " + count(holder.get(Field.OPENED)) + " live with ";
    return "%s%s%s, %s of all live bytes%s. "
        .formatted(
            holder.isSite() ? number : "",
            holder.isCollected() && holder.isSite() ? "at most " : "",
            Numbers.bytes(holder.get(Field.LIVE_BYTES)),
            Numbers.share(holder.get(Field.LIVE_BYTES), liveBytes),
            holder.get(Field.OLDEST) == 0
                ? ""
                : ", the oldest for " + Numbers.time(holder.get(Field.OLDEST)));
  }

  private static String leak(Holder holder) {
    String open =
        "still open when their thread ended: %s of %s arenas, which nothing can close any more"
            .formatted(count(holder.get(Field.UNCLOSED_BY_ENDED)), count(holder.get(Field.OPENED)));
    String unreachable =
        "%s with %s became unreachable without close, so this memory is never freed%s"
            .formatted(
                counted(holder.get(Field.LEAKED), "arena"),
                Numbers.bytes(holder.get(Field.LEAKED_BYTES)),
                holder.kind().equals("confined")
                    ? " (found among the followed ones; %s in all were not closed)"
                        .formatted(count(holder.get(Field.LIVE)))
                    : "");
    return joined(
            holder.get(Field.UNCLOSED_BY_ENDED) == 0 ? "" : open,
            holder.get(Field.LEAKED) == 0 ? "" : unreachable)
        + ". Close each arena, by try-with-resources.";
  }

  /** Whether a site holds ever more memory, to the end. */
  static boolean grows(Holder holder) {
    return holder.get(Field.LIVE) > 0
        && !holder.kind().equals("temporary") // of which each thread has one
        && holder.leaks() == 0
        && holder.get(Field.GROWING) >= GROWING_SECONDS;
  }

  private static String growth(Holder holder) {
    return "Live bytes rose in %s seconds%s."
        .formatted(
            count(holder.get(Field.GROWING)),
            holder.isCollected()
                ? ", each after a garbage collection. Either something keeps them, or only a full"
                    + " collection frees them: 'jcmd PID GC.run' while recording tells"
                : ". Look for what keeps them" + otherwise(holder.kind()));
  }

  /** Facts about memory whose owner is looked for. */
  private static String otherwise(String kind) {
    return switch (kind) {
      case "unsafe", "malloc" -> ": no garbage collection frees them";
      case "confined", "shared" -> ", or a path that does not close them";
      default -> "";
    };
  }

  /** Ways in which the memory of a site ends that has freed nothing. */
  private String end(Holder holder) {
    return switch (holder.kind()) {
      case "global" ->
          "Arena.global() never frees. Use another arena where it is not needed to the end.";
      case "direct", "automatic" -> collected(holder);
      case "mapped" ->
          "A garbage collection frees what nothing uses, or the close of the arena that it was"
              + " mapped in. Neither has freed any of it so far.";
      case "shared" ->
          "None was closed so far, and no garbage collection has found one to be unreachable.";
      case "unsafe", "malloc" ->
          "None was freed so far, and no garbage collection frees them: the program must, by "
              + (holder.kind().equals("unsafe") ? "freeMemory." : "free.");
      default -> "None was closed so far.";
    };
  }

  /** What collections say of memory that they free when nothing uses it. */
  private String collected(Holder holder) {
    if (isHeld(holder)) {
      return "A full collection freed none of them: %s with %s outlived it, so something still refers to them."
          .formatted(
              count(holder.get(Field.KEPT_BY_FULL)),
              Numbers.bytes(holder.get(Field.BYTES_KEPT_BY_FULL)));
    }
    return "%s: this may be garbage. A bound (the agent's option limit, -XX:MaxDirectMemorySize) or 'jcmd PID GC.run' frees what nothing uses."
        .formatted(
            collections == 0
                ? "No collection ran"
                : "No full collection ran since it was made, and the others freed none of it");
  }

  /** Whether confined arenas would probably do, which cost less. */
  static boolean couldBeConfined(Holder holder) {
    return holder.get(Field.BY_OTHERS) == 0
        && switch (holder.kind()) {
          case "shared" ->
              10 * holder.get(Field.LIVE) < holder.get(Field.OPENED) // no try closes the others
                  && isCostlyToClose(holder);
          case "automatic" -> holder.get(Field.CLOSED) > 0;
          default -> false;
        };
  }

  private static boolean isCostlyToClose(Holder holder) {
    return holder.kind().equals("shared")
        && holder.get(Field.CLOSE_TIME) > LONG * holder.get(Field.AGE);
  }

  private String close(Holder holder) {
    return String.format(
        Locale.ROOT,
        "%,.1f closes a second took %s of the time, the longest %s, and each stops %s for a"
            + " moment.",
        1e9 * holder.get(Field.CLOSED) / holder.get(Field.AGE),
        Numbers.share(holder.get(Field.CLOSE_TIME), holder.get(Field.AGE)),
        Numbers.time(holder.get(Field.LONGEST_CLOSE)),
        threads == 0 ? "all threads" : "all of the JVM's " + count(threads) + " threads");
  }

  private String confined(Holder holder) {
    boolean isShared = holder.kind().equals("shared");
    return "%s, none allocated in%s by a second thread. %s If no other thread reads the segments,"
            .formatted(
                counted(holder.get(Field.OPENED), holder.kind() + " arena"),
                isShared ? " or closed" : "",
                isShared
                    ? close(holder)
                    : "The garbage collector has freed %s of them."
                        .formatted(count(holder.get(Field.CLOSED))))
        + " Arena.ofConfined() in try-with-resources is "
        + (isShared
            ? "cheaper; else one shared arena for those that end together."
            : "freed at once.");
  }
}
