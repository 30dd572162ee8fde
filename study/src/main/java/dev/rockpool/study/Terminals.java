package dev.rockpool.study;

import java.io.IOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** JLine, with its provider on java.lang.foreign: reads lines until "bye" or the end. */
public final class Terminals {
  private Terminals() {}

  /** Needs a terminal. */
  public static void main(String[] args) throws IOException {
    int lines = 0;
    int columns = 0;
    try (Terminal terminal = TerminalBuilder.builder().system(true).provider("ffm").build()) {
      LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
      for (String line = ""; !line.equals("bye"); lines++) {
        line = reader.readLine("> ");
        columns += terminal.getSize().getColumns();
      }
    } catch (EndOfFileException e) {
      // ^D ends the input as well as the word does.
    }
    System.out.println("terminals: " + lines + " lines, " + columns + " columns");
  }
}
