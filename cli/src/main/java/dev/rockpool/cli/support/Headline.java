package dev.rockpool.cli.support;

import picocli.CommandLine.Help.Ansi;

/** A sentence whose first words, such as "Leaks:", stand out: good news or bad. */
public record Headline(Tone tone, String text) {
  /** The news, as a colour shows it. */
  public enum Tone {
    GOOD("bold,green"),
    BAD("bold,red"),
    NEITHER("bold");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  /** The words that stand out. */
  public String head() {
    return text.replaceFirst("(?s)(?<=[:?])[ \n].*| \\(.*", "");
  }

  /** The words behind them. */
  public String rest() {
    return text.substring(head().length());
  }

  /** Prints the sentence, in colour where the terminal has it. */
  public void print() {
    if (Ansi.AUTO.enabled()) {
      System.out.flush();
      TerminalText.RAW_OUT.print(Ansi.ON.string("@|" + tone.style + " " + head() + "|@"));
      System.out.println(rest());
    } else {
      System.out.println(text);
    }
  }
}
