package dev.rockpool.cli.support;

import java.io.Console;
import java.time.Duration;

/**
 * Shows on standard error that work goes on: on a terminal in one line that each step overwrites,
 * elsewhere in plain lines, one for each thing that is done. For any thread.
 *
 * {@snippet :
 * try (Progress progress = Progress.of(6)) {
 *   progress.begin("strlen");
 *   progress.done("strlen: 12 ns");
 * }
 * }
 */
public final class Progress implements AutoCloseable {
  private static final int BAR = 20;
  private static final int COLUMNS = 79; // narrower terminals are rare

  private static volatile boolean quiet;

  private final boolean terminal = isTerminal();
  private final int steps;
  private final long startNanos = System.nanoTime();
  private int step;

  private Progress(int steps) {
    this.steps = steps;
  }

  /** Progress over {@code steps} calls of {@link #begin}, or of {@link #end}. */
  public static Progress of(int steps) {
    return new Progress(steps);
  }

  /** Whether to show nothing, neither of any progress nor of any note. */
  public static void setQuiet(boolean quiet) {
    Progress.quiet = quiet;
  }

  /** Prints a line on standard error that is neither a result nor an error. */
  public static void note(String line) {
    if (!quiet) {
      System.err.println(line);
    }
  }

  /**
   * Whether lines can be overwritten. Asks about standard input and output, because Java can't tell
   * about standard error.
   */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again where there is no terminal
  public static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /** A step begins: news that passes, shown on a terminal alone. */
  public synchronized void begin(String what) {
    step++;
    overwrite("[" + step + "/" + steps + "] " + what);
  }

  /**
   * One of many steps, which may run side by side, is over: a bar, with the time so far and the
   * time left. Shown on a terminal alone.
   */
  public synchronized void end(String what) {
    step++;
    Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
    int full = step * BAR / Math.max(step, steps);
    String left =
        step >= steps
            ? ""
            : ", about " + text(time.multipliedBy(steps - step).dividedBy(step)) + " left";
    String figures =
        "[%s%s] %s/%s, %s%s: "
            .formatted("#".repeat(full), "-".repeat(BAR - full), step, steps, text(time), left);
    // A line that wraps can't be cleared, therefore a long name is cut to its end.
    int room = COLUMNS - figures.length();
    overwrite(
        figures
            + (what.length() <= room
                ? what
                : "..." + what.substring(what.length() - Math.max(0, room - 3))));
  }

  /** The steps so far came to something: a line that stays, shown where there is no terminal. */
  public synchronized void done(String what) {
    if (!terminal) {
      note("[" + step + "/" + steps + "] " + what);
    }
  }

  /** Leaves the line on a terminal empty for what comes next. */
  @Override
  public synchronized void close() {
    overwrite("");
  }

  private void overwrite(String line) {
    if (terminal && !quiet) {
      TerminalText.clearLine();
      System.err.print(line);
      System.err.flush();
    }
  }

  /** A duration as people say it: 40 s, 7 min, 2 h 5 min. */
  public static String text(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1000.0);
    if (seconds < 100) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 100 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
