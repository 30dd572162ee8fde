package dev.rockpool.cli.page;

import dev.rockpool.cli.page.Page.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A table, for a page or for the terminal. As text, the first column is to the left, and the others
 * to the right.
 *
 * @param caption empty if a heading says it
 */
public record Table(String caption, Columns columns, List<String> header, List<List<Cell>> rows) {
  private static final String GAP = "   ";

  /** Rows of a long list; all of them are in the JSON. */
  private static final int MOST = 20;

  /**
   * A text or a number.
   *
   * @param detail what a page shows of the cell when it is pointed at; may be empty
   * @param share of a whole, from 0 to 1, which a page shows as a bar
   */
  public record Cell(String text, String detail, double share) {
    /** Integers are grouped: 1,234. */
    private static Cell of(Object value) {
      return switch (value) {
        case Cell cell -> cell;
        case Number integer -> of(String.format(Locale.ROOT, "%,d", integer.longValue()));
        default -> new Cell(value.toString(), "", 0);
      };
    }
  }

  /** A table with a row for each of {@code items}, to be filled column by column. */
  public static <T> Filled<T> each(Collection<T> items) {
    return filled(items, "");
  }

  /** A table of the first items, whose caption says so if there are more. */
  public static <T> Filled<T> first(Collection<T> items) {
    String shown = items.size() > MOST ? MOST + " of " + items.size() : "";
    return filled(items.stream().limit(MOST).toList(), shown);
  }

  private static <T> Filled<T> filled(Collection<T> items, String shown) {
    List<List<Cell>> rows = new ArrayList<>();
    items.forEach(_ -> rows.add(new ArrayList<>()));
    return new Filled<>(List.copyOf(items), shown, new ArrayList<>(), rows);
  }

  /** A table that gets its columns. */
  public record Filled<T>(List<T> items, String shown, List<String> header, List<List<Cell>> rows) {
    /** Adds a column of cells, numbers or texts. */
    public Filled<T> column(String name, Function<? super T, ?> cell) {
      header.add(name);
      for (int i = 0; i < items.size(); i++) {
        rows.get(i).add(Cell.of(cell.apply(items.get(i))));
      }
      return this;
    }

    public Table numbers(String caption) {
      return table(caption, Columns.NUMBERS);
    }

    public Table words(String caption) {
      return table(caption, Columns.WORDS);
    }

    private Table table(String caption, Columns columns) {
      String separator = caption.isEmpty() || shown.isEmpty() ? "" : ", ";
      return new Table(caption + separator + shown, columns, header, rows);
    }
  }

  /** The caption if there is one, and the rows under a rule; each line ends with a line break. */
  public String text() {
    List<List<String>> texts =
        rows.stream().map(row -> row.stream().map(cell -> printable(cell.text)).toList()).toList();
    int[] widths =
        IntStream.range(0, header.size())
            .map(
                i ->
                    texts.stream()
                        .mapToInt(row -> row.get(i).length())
                        .reduce(header.get(i).length(), Math::max))
            .toArray();
    int width = IntStream.of(widths).sum() + GAP.length() * (widths.length - 1);
    StringBuilder text = new StringBuilder(caption.isEmpty() ? "" : caption + "\n\n");
    text.append(line(header, widths)).repeat('-', width).append('\n');
    texts.forEach(row -> text.append(line(row, widths)));
    return text.toString();
  }

  /**
   * Returns a name out of somebody's jar or process. Control characters would steer a terminal, and
   * a build server obeys lines that begin with two colons.
   */
  public static String printable(Object name) {
    return name.toString().replaceAll("[\\p{Cc}\\p{Cf}]", "?").replaceFirst("^\\s*::", "?:");
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
