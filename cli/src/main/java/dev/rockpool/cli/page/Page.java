package dev.rockpool.cli.page;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A page in the making, from top to bottom. Its content is given as text, never as markup. */
public final class Page {
  private static final String TEMPLATE = "page.html";
  private static final String LIBRARY = "/echarts/echarts.common.min.js";
  private static final String LIBRARY_PLACE =
      "<script src=\"../../../../echarts/echarts.common.min.js\"></script>";

  /** The layout of a table. */
  public enum Columns {
    /** The first one is words, the others are numbers. */
    NUMBERS,
    /** All of them are words. */
    WORDS
  }

  private final String title;
  private final StringBuilder links = new StringBuilder();
  private final StringBuilder content = new StringBuilder();
  private boolean charts;

  public Page(String title) {
    this.title = title;
  }

  /** A section begins, which the links at the top of the page lead to. */
  public Page section(String heading) {
    String id = heading.replaceAll("\\W+", "-");
    links.append("<a href=\"#%s\">%s</a>\n".formatted(id, escape(heading)));
    content.append("<h2 id=\"%s\">%s</h2>\n".formatted(id, escape(heading)));
    return this;
  }

  public Page paragraph(String text) {
    content.append("<p>").append(escape(text)).append("</p>\n");
    return this;
  }

  /** Terms, and what they are; in the order of the map. */
  public Page terms(Map<String, String> terms) {
    content.append("<dl>\n");
    terms.forEach(
        (term, text) ->
            content.append("<dt>%s</dt><dd>%s</dd>\n".formatted(escape(term), escape(text))));
    content.append("</dl>\n");
    return this;
  }

  /** A table; each row has as many cells as the header. */
  public void table(Table table) {
    content.append("<div class=\"scroll\" tabindex=\"0\"><table");
    content.append(table.columns() == Columns.WORDS ? " class=\"words\"" : "").append(">\n");
    content.append("<caption>").append(escape(table.caption())).append("</caption>\n<thead><tr>");
    table
        .header()
        .forEach(cell -> content.append("<th scope=\"col\">%s</th>".formatted(escape(cell))));
    content.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows()) {
      content.append("<tr>");
      row.forEach(cell -> content.append("<td>").append(escape(cell)).append("</td>"));
      content.append("</tr>\n");
    }
    content.append("</tbody></table></div>\n");
  }

  /** A table that is shown when somebody asks for it. */
  public void foldedTable(Table table) {
    content.append("<details><summary>").append(escape(table.caption())).append("</summary>\n");
    table(table);
    content.append("</details>\n");
  }

  /**
   * A chart with a button that saves it as PNG. Its numbers must be in a table, too.
   *
   * @param title what it shows
   * @param option what ECharts is told, apart from colors and margins
   */
  public void chart(String title, JsonObject option) {
    charts = true;
    content.append(
        "<figure><div class=\"chart\" role=\"img\" aria-label=\"%s\" data-option=\"%s\"></div>"
            .formatted(escape(title), escape(option.toString())));
    content.append(
        """
        <noscript><p>Without JavaScript there is no picture here: %1$s. The tables have its
        numbers.</p></noscript>
        <figcaption>%1$s <button type="button" aria-label="PNG: %1$s">PNG</button></figcaption></figure>
        """
            .formatted(escape(title)));
  }

  /** A flame graph, whose frames show their text when pointed at, and widen when pressed. */
  public void flames(String title, Flames flames) {
    content.append(
        "<figure class=\"flames\" aria-label=\"%1$s\">\n%2$s<figcaption>%1$s</figcaption></figure>\n"
            .formatted(escape(title), flames.html()));
  }

  /** All of it, as a document that needs nothing else. */
  public String html() {
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
        + page.substring(end).replace(LIBRARY_PLACE, library());
  }

  private String library() {
    return charts ? "<script>" + packaged(Page.class, LIBRARY) + "</script>" : "";
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
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
