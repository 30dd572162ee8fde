package dev.rockpool.bench.command;

import java.util.List;

/** Tables in text. */
final class Table {
  private static final int GAP = 3;

  private Table() {}

  /** The first column is aligned to the left, the others to the right. */
  static String text(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(row.getFirst());
      line.repeat(' ', widths[0] - line.length());
      for (int i = 1; i < widths.length; i++) {
        line.repeat(' ', GAP + widths[i] - row.get(i).length()).append(row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
