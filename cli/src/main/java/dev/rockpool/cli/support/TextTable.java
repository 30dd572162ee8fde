package dev.rockpool.cli.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

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

  /**
   * The same as a table of Markdown.
   *
   * @param rule the rule under each column of figures: {@code ---:} aligns to the right
   */
  public String toMarkdown(String rule) {
    List<String> rules = new ArrayList<>(Collections.nCopies(rows.getFirst().size(), rule));
    rules.set(0, "---");
    return markdown(rows.getFirst())
        + rules.stream().collect(Collectors.joining("|", "|", "|\n"))
        + rows.stream().skip(1).map(TextTable::markdown).collect(Collectors.joining());
  }

  private static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
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
