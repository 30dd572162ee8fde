package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.support.TextTable;
import java.util.List;

/** A table, for a page or for the terminal. */
record Table(String caption, Columns columns, List<String> header, List<List<String>> rows) {
  /** The caption, and the table under it. */
  String text() {
    TextTable text = new TextTable(header.toArray(String[]::new));
    rows.forEach(row -> text.row(row.toArray(String[]::new)));
    return caption + "\n\n" + text;
  }
}
