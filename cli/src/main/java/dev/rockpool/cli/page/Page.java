package dev.rockpool.cli.page;

import static java.util.stream.Collectors.joining;

import dev.rockpool.cli.page.Table.Cell;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Headline.Tone;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * A page in the making, from top to bottom, and as {@link #text} for the terminal. Its content is
 * given as text, never as markup.
 */
public final class Page {
  private static final String TEMPLATE = "page.html";

  /** A page may be shown by a terminal, too, which names out of jars must not steer. */
  private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\n\t]]");

  /** Tables with more columns are wider than a telephone. */
  private static final int MOST_COLUMNS = 4;

  /** The layout of a table. */
  public enum Columns {
    /** The first one is words, the others are numbers. */
    NUMBERS,
    /** All of them are words. */
    WORDS
  }

  private final String title;
  private final Glossary glossary;
  private final List<Headline> headlines = new ArrayList<>();
  private final StringBuilder links = new StringBuilder();
  private final StringBuilder content = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  public Page(String title) {
    this(title, new Glossary(Map.of()));
  }

  /** A page whose words lead to their meanings, at its end. */
  public Page(String title, Glossary glossary) {
    this.title = title;
    this.glossary = glossary;
  }

  /** A section begins, which the links at the top of the page lead to. */
  public Page section(String heading) {
    String id = heading.replaceAll("\\W+", "-");
    links.append("<a href=\"#%s\">%s</a>\n".formatted(id, escape(heading)));
    content.append("<h2 id=\"%s\">%s</h2>\n".formatted(id, escape(heading)));
    leaveBlankLine();
    text.append(heading).append("\n\n");
    return this;
  }

  private void leaveBlankLine() {
    if (!text.toString().endsWith("\n\n")) {
      text.append('\n');
    }
  }

  public Page paragraph(String words) {
    Headline line = new Headline(Tone.NEITHER, words);
    content.append("<p>%s%s</p>\n".formatted(glossary.linked(line.head()), escape(line.rest())));
    text.append(words).append('\n');
    return this;
  }

  public Page verdict(Headline line) {
    headlines.add(line);
    content.append(
        "<p><strong class=\"%s\">%s</strong>%s</p>\n"
            .formatted(
                line.tone().name().toLowerCase(Locale.ROOT),
                glossary.linked(line.head()),
                escape(line.rest())));
    return this;
  }

  /** Terms, and what they are; in the order of the map. */
  public Page terms(Map<String, String> terms) {
    content.append("<dl>\n");
    StringJoiner line = new StringJoiner("; ", "", "\n");
    terms.forEach(
        (term, meaning) -> {
          content.append("<dt>%s</dt><dd>%s</dd>\n".formatted(escape(term), escape(meaning)));
          line.add(term + " " + meaning);
        });
    content.append("</dl>\n");
    text.append(line);
    return this;
  }

  /** A table; each row has as many cells as the header. */
  public void table(Table table) {
    addTable(table, table.caption());
    leaveBlankLine();
    text.append(table.text()).append('\n');
  }

  private void addTable(Table table, String caption) {
    boolean isWide = table.header().size() > MOST_COLUMNS; // a small screen has cells in lines
    content
        .append("<div class=\"scroll\" tabindex=\"0\"><table class=\"")
        .append(table.columns().name().toLowerCase(Locale.ROOT))
        .append(isWide ? " wide" : "")
        .append("\">\n");
    if (!caption.isEmpty()) {
      content.append("<caption>%s</caption>\n".formatted(escape(caption)));
    }
    content.append("<thead><tr>");
    table
        .header()
        .forEach(
            cell -> content.append("<th scope=\"col\">%s</th>".formatted(glossary.linked(cell))));
    content.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : table.rows()) {
      content.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        addCell(row.get(i), isWide ? table.header().get(i) : "");
      }
      content.append("</tr>\n");
    }
    content.append("</tbody></table></div>\n");
  }

  /** A name is that of the column, which a small screen shows beside the cell. */
  private void addCell(Cell cell, String name) {
    content
        .append("<td")
        .append(name.isEmpty() ? "" : " data-name=\"" + escape(name) + "\"")
        .append(cell.detail().isEmpty() ? "" : " title=\"" + escape(cell.detail()) + "\"")
        .append(cell.share() == 0 ? "" : " style=\"--share: " + 100 * cell.share() + "%\"")
        .append(">%s</td>".formatted(escape(cell.text())));
  }

  /** A table that is shown when somebody asks for it, on the page only. */
  public void foldedTable(Table table) {
    content.append("<details><summary>").append(escape(table.caption())).append("</summary>\n");
    addTable(table, "");
    content.append("</details>\n");
  }

  /** Lines such as a stack's, which the page shows when somebody asks for them. */
  public void foldedLines(String caption, String lines) {
    content.append(
        "<details><summary>%s</summary>\n<pre>%s</pre></details>\n"
            .formatted(escape(caption), escape(lines)));
    text.append('\n').append(caption).append('\n').append(lines);
  }

  /** A chart of parts over time, on the page only. Its parts must be in a table, too. */
  public void chart(AreaChart chart) {
    content.append(
        "<figure class=\"chart\"><div class=\"scroll\" tabindex=\"0\">\n%s</div><figcaption>%s</figcaption></figure>\n"
            .formatted(chart.svg(), escape(chart.title())));
  }

  /**
   * A flame graph, whose frames show their text when pointed at, and widen when pressed; on the
   * page only, and only if it has any.
   */
  public void flames(String title, Flames flames) {
    String graph = flames.html();
    if (!graph.isEmpty()) {
      content.append(
          "<figure class=\"flames\" aria-label=\"%1$s\">\n%2$s<figcaption>%1$s</figcaption></figure>\n"
              .formatted(escape(title), graph));
    }
  }

  /** Verdicts, paragraphs, terms, tables and lines, for the terminal. */
  public String text() {
    return headlines.stream().map(line -> line.text() + "\n").collect(joining()) + text;
  }

  /** Prints the text, with verdicts in colour where the terminal has it. */
  public void print() {
    headlines.forEach(Headline::print);
    System.out.print(text);
  }

  /** All of it, as a document that needs nothing else. */
  public String html() {
    Glossary linked = glossary.linkedIn(content);
    String meanings =
        linked.meanings().isEmpty()
            ? ""
            : "<details id=\"Meanings\"><summary>Meanings of words on this page</summary>\n"
                + linked.html()
                + "</details>\n";
    String page = packaged(Page.class, TEMPLATE);
    int start = page.indexOf("<main>") + "<main>".length();
    int end = page.indexOf("</main>");
    String head = page.substring(0, start).replaceFirst("<title>.*</title>", "<title></title>");
    return head.replace("<title></title>", "<title>" + escape(title) + "</title>")
        + "\n<header><h1>"
        + escape(title)
        + "</h1></header>\n<nav aria-label=\"sections\">\n"
        + links
        + "</nav>\n"
        + content
        + meanings
        + page.substring(end);
  }

  /**
   * A text in the jar of the command line: a file beside a class or, with a leading slash,
   * anywhere.
   */
  public static String packaged(Class<?> beside, String name) {
    try (InputStream stream = beside.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("The jar of the command line lacks " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String escape(String text) {
    return STEERING
        .matcher(text)
        .replaceAll("?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace(" %", "&nbsp;%"); // a number and its unit stay in one line
  }
}
