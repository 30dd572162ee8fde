package dev.rockpool.cli.page;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.support.TextTable;
import java.util.List;

/** A table, for a page, for the terminal or for a document in Markdown. */
public record Table(String caption, Columns columns, List<String> header, List<List<String>> rows) {
  /** The caption, and the table under it. */
  public String text() {
    return caption + "\n\n" + plain();
  }

  /** The rows in Markdown, the first column to the left and the others to the right. */
  public String markdown() {
    return plain().toMarkdown("---:");
  }

  private TextTable plain() {
    TextTable table = new TextTable(header.toArray(String[]::new));
    rows.forEach(row -> table.row(row.toArray(String[]::new)));
    return table;
  }
}
