package dev.rockpool.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.regex.Pattern;

/**
 * Standard output and error, which show names out of jars, recordings and other processes. Control
 * characters in them would steer the terminal, so {@link #filter} has them replaced.
 */
public final class TerminalText {
  /** Unfiltered: for text of our own, which has colours. */
  public static final PrintStream RAW_OUT = System.out;

  private static final PrintStream RAW_ERR = System.err;
  private static final String CLEAR_LINE = "\r\u001b[K";

  /** Line ends and tabs stay. */
  private static final Pattern STEERING =
      Pattern.compile("\\r(?!\\n)|[\\p{Cc}\\p{Cf}&&[^\\r\\n\\t]]");

  private TerminalText() {}

  /** Filters all that this JVM prints from now on. */
  public static void filter() {
    System.setOut(filtered(RAW_OUT));
    System.setErr(filtered(RAW_ERR));
  }

  /** A stream that prints on {@code to}, without control characters. */
  static PrintStream filtered(PrintStream to) {
    return new PrintStream(new Filter(to), true, UTF_8);
  }

  /** Returns {@code text} with a question mark in place of each control character. */
  public static String printable(String text) {
    return STEERING.matcher(text).replaceAll("?");
  }

  static void clearLine() {
    System.err.flush();
    RAW_ERR.print(CLEAR_LINE);
  }

  /** Keeps bytes until they are flushed, which a stream does after whole texts alone. */
  private static final class Filter extends ByteArrayOutputStream {
    private final PrintStream to;

    Filter(PrintStream to) {
      this.to = to;
    }

    @Override
    public synchronized void flush() {
      to.print(printable(toString(UTF_8)));
      to.flush();
      reset();
    }
  }
}
