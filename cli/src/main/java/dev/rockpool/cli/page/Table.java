package dev.rockpool.cli.page;

import dev.rockpool.cli.page.Page.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A table, for a page, for the terminal or for a document in Markdown. As text, the first column is
 * to the left, and the others to the right.
 */
public record Table(
    String caption,
    Columns columns,
    List<String> header,
    List<List<String>> rows,
    Map<Place, String> details) {
  private static final String GAP = "   ";

  /** The place of a cell, from 0 on. */
  public record Place(int row, int column) {}

  /** A cell, and what the page shows of it when it is pointed at. */
  public record Detailed(String text, String detail) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** A table without details. */
  public Table(String caption, Columns columns, List<String> header, List<List<String>> rows) {
    this(caption, columns, header, rows, new HashMap<>());
  }

  /** A table of figures without caption, to be filled row by row. */
  public static Table of(String... header) {
    return new Table("", Columns.NUMBERS, List.of(header), new ArrayList<>());
  }

  /** A table with a row for each of {@code items}, to be filled column by column. */
  public static <T> Filled<T> each(Collection<T> items) {
    Table table = new Table("", Columns.NUMBERS, new ArrayList<>(), new ArrayList<>());
    items.forEach(_ -> table.rows.add(new ArrayList<>()));
    return new Filled<>(List.copyOf(items), table);
  }

  /** A table that gets its columns. */
  public record Filled<T>(List<T> items, Table table) {
    /** Adds a column, in which integers are grouped: 1,234. */
    public Filled<T> column(String name, Function<? super T, ?> cell) {
      table.header.add(name);
      for (int i = 0; i < items.size(); i++) {
        Object value = cell.apply(items.get(i));
        String text =
            value instanceof Number integer
                ? String.format(Locale.ROOT, "%,d", integer.longValue())
                : value.toString();
        if (value instanceof Detailed detailed) {
          table.details.put(new Place(i, table.header.size() - 1), detailed.detail);
        }
        table.rows.get(i).add(text);
      }
      return this;
    }

    public Table numbers(String caption) {
      return new Table(caption, Columns.NUMBERS, table.header, table.rows, table.details);
    }

    public Table words(String caption) {
      return new Table(caption, Columns.WORDS, table.header, table.rows, table.details);
    }
  }

  /** Adds a row, which must have as many cells as the header. */
  public Table row(String... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "A row must have as many cells as the header: header="
              + header
              + ", cells="
              + List.of(cells));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** The caption if there is one, and the rows under a rule; each line ends with a line break. */
  public String text() {
    List<List<String>> rows =
        this.rows.stream().map(row -> row.stream().map(Table::printable).toList()).toList();
    int[] widths =
        IntStream.range(0, header.size())
            .map(
                i ->
                    rows.stream()
                        .mapToInt(row -> row.get(i).length())
                        .reduce(header.get(i).length(), Math::max))
            .toArray();
    int width = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1);
    StringBuilder text = new StringBuilder(caption.isEmpty() ? "" : caption + "\n\n");
    text.append(line(header, widths)).repeat('-', width).append('\n');
    rows.forEach(row -> text.append(line(row, widths)));
    return text.toString();
  }

  /** Returns a name out of somebody's jar for a terminal, which control characters would steer. */
  public static String printable(Object name) {
    return name.toString().replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder(cells.getFirst());
    line.repeat(' ', widths[0] - line.length());
    for (int i = 1; i < widths.length; i++) {
      line.append(GAP).repeat(' ', widths[i] - cells.get(i).length()).append(cells.get(i));
    }
    return line.toString().stripTrailing() + "\n";
  }
}
