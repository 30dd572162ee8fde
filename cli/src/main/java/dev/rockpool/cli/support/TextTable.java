package dev.rockpool.cli.support;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of plain text: the first column to the left, the others, which are figures, to the right.
 */
public final class TextTable {
  private static final String GAP = "   ";

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row, which must have as many cells as the header. */
  public TextTable row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "A row must have as many cells as the header: header="
              + rows.getFirst()
              + ", cells="
              + List.of(cells));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** The lines of the table, with a rule under the header; each ends with a line break. */
  @Override
  public String toString() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    appendRow(text, rows.getFirst(), widths);
    int width = GAP.length() * (widths.length - 1);
    for (int w : widths) {
      width += w;
    }
    text.repeat('-', width).append('\n');
    rows.stream().skip(1).forEach(row -> appendRow(text, row, widths));
    return text.toString();
  }

  /** The same as a table of Markdown. */
  public String toMarkdown() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      text.repeat("|---", i == 0 ? rows.getFirst().size() : 0).append(i == 0 ? "|\n" : "");
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private static void appendRow(StringBuilder text, List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      int padding = widths[i] - cell.length();
      if (i == 0) {
        line.append(cell).repeat(' ', padding);
      } else {
        line.append(GAP).repeat(' ', padding).append(cell);
      }
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
