package dev.rockpool.cli.support;

import java.io.Console;

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
  private static final int COLUMNS = 79; // narrower terminals are rare

  private static volatile boolean quiet;

  private final boolean terminal = isTerminal();
  private final int steps;
  private int step;

  private Progress(int steps) {
    this.steps = steps;
  }

  /** Progress over {@code steps} calls of {@link #begin}. */
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
      // A line that wraps can't be cleared.
      System.err.print(line.substring(0, Math.min(line.length(), COLUMNS)));
      System.err.flush();
    }
  }
}
