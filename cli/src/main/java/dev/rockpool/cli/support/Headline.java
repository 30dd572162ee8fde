package dev.rockpool.cli.support;

import picocli.CommandLine.Help.Ansi;

/** A sentence whose first words, such as "Leaks:", stand out: good news or bad. */
public record Headline(Tone tone, String text) {
  public enum Tone {
    GOOD("bold,green"),
    BAD("bold,red"),
    NEITHER("bold");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  public String head() {
    return text.replaceFirst("(?s)(?<=[:?])[ \n].*| \\(.*", "");
  }

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
