package dev.rockpool.cli.page;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.support.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/** A table, for a page, for the terminal or for a document in Markdown. */
public record Table(String caption, Columns columns, List<String> header, List<List<String>> rows) {
  /** The caption, and the table under it. */
  public String text() {
    TextTable text = new TextTable(header.toArray(String[]::new));
    rows.forEach(row -> text.row(row.toArray(String[]::new)));
    return caption + "\n\n" + text;
  }

  /** The rows in Markdown, the first column to the left and the others to the right. */
  public String markdown() {
    return markdown(header)
        + "|---|"
        + "---:|".repeat(header.size() - 1)
        + "\n"
        + rows.stream().map(Table::markdown).collect(Collectors.joining());
  }

  private static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
