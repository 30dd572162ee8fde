package dev.rockpool.cli.support;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

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
  private static final int BAR = 20;
  private static final int COLUMNS = 79; // narrower terminals are rare

  private final PrintStream out;
  private final boolean terminal;
  private final int steps;
  private final LongSupplier clock;
  private final long startNanos;
  private final TimeLeft timeLeft;
  private int step;

  Progress(PrintStream out, boolean terminal, int steps, LongSupplier clock) {
    this.out = out;
    this.terminal = terminal;
    this.steps = steps;
    this.clock = clock;
    startNanos = clock.getAsLong();
    timeLeft = new TimeLeft(steps, startNanos);
  }

  /** Progress over {@code steps} calls of {@link #begin}, or of {@link #end}. */
  public static Progress of(int steps) {
    return new Progress(System.err, isTerminal(), steps, System::nanoTime);
  }

  /** Whether standard input and output are a terminal on which lines can be overwritten. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null again where there is no terminal
  public static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /** A step begins: news that passes, shown on a terminal alone. */
  public synchronized void begin(String what) {
    step++;
    if (terminal) {
      out.print(CLEAR_LINE + "[" + step + "/" + steps + "] " + what);
      out.flush();
    }
  }

  /**
   * One of many steps, which may run side by side, is over: a bar, with the time so far and the
   * time left. Shown on a terminal alone.
   */
  public synchronized void end(String what) {
    step++;
    timeLeft.step();
    if (terminal) {
      long nowNanos = clock.getAsLong();
      String time =
          TimeLeft.text(Duration.ofNanos(nowNanos - startNanos)) + timeLeft.text(nowNanos);
      out.print(CLEAR_LINE + fitting(bar() + " " + step + "/" + steps + ", " + time, what));
      out.flush();
    }
  }

  private String bar() {
    int full = step * BAR / Math.max(step, steps);
    return "[" + "#".repeat(full) + "-".repeat(BAR - full) + "]";
  }

  /** Cuts a long name to its end, because a wrapped line can't be cleared. */
  private static String fitting(String figures, String name) {
    int room = COLUMNS - figures.length() - 2;
    return figures
        + ": "
        + (name.length() <= room
            ? name
            : "..." + name.substring(name.length() - Math.max(0, room - 3)));
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
