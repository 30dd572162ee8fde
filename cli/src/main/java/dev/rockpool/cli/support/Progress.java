package dev.rockpool.cli.support;

import java.io.Console;
import java.io.PrintStream;

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
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private final int steps;
  private int step;

  Progress(PrintStream out, boolean terminal, int steps) {
    this.out = out;
    this.terminal = terminal;
    this.steps = steps;
  }

  /** Progress over {@code steps} calls of {@link #begin}. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again where there is no terminal
  public static Progress of(int steps) {
    Console console = System.console();
    boolean terminal =
        console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
    return new Progress(System.err, terminal, steps);
  }

  /** A step begins: news that passes, shown on a terminal alone. */
  public synchronized void begin(String what) {
    step++;
    if (terminal) {
      out.print(CLEAR_LINE + "[" + step + "/" + steps + "] " + what);
      out.flush();
    }
  }

  /** The steps so far came to something: a line that stays, shown where there is no terminal. */
  public synchronized void done(String what) {
    if (!terminal) {
      out.println("[" + step + "/" + steps + "] " + what);
    }
  }

  /** Leaves the line on a terminal empty for what comes next. */
  @Override
  public synchronized void close() {
    if (terminal) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }
}
