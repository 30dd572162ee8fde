package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.demo.Timer;
import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The workloads. Each description says what a row is, whose time is measured. */
enum Workload {
  SHORT("a short statement: bind a string, step, reset", ShortStatements::new),
  LOOKUP("look up a string by another one that is indexed", LookUps::new),
  SELECT("read a row with two strings, one query for all rows", Selects::new);

  final String description;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor does not change
  private final Supplier<Batch> batch;

  Workload(String description, Supplier<Batch> batch) {
    this.description = description;
    this.batch = batch;
  }

  static Workload of(String name) {
    return Arrays.stream(values())
        .filter(workload -> workload.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "A workload must be one of %s: it is %s"
                        .formatted(Arrays.toString(values()), name)));
  }

  Batch prepare() {
    return batch.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Work on a database of its own in memory, which can be done over and over with the same result.
   * The table has strings as people store them: names of 10 to 13 characters, meanings of 24 to 29.
   */
  abstract static class Batch implements Timer.Work<RuntimeException>, AutoCloseable {
    final Database database = Database.inMemory();
    final int rows;
    long result; // depends on every row
    @Nullable Long first;

    /** For work that goes through so many rows, on a table of so many. */
    Batch(int rows, int tableRows) {
      this.rows = rows;
      database.execute("CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT, meaning TEXT)");
      // By SQL alone, so that the binding's work is what is measured, and no more.
      database.execute(
          """
          WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < %d)
          INSERT INTO word
          SELECT
            i,
            CASE i %% 4 WHEN 0 THEN 'tide-' WHEN 1 THEN 'limpet-' WHEN 2 THEN 'grüße-' ELSE 'rock-' END
              || (100000 + i),
            'what is meant by number ' || i
          FROM number
          """
              .formatted(tableRows));
    }

    /** Reads the names of the first words. */
    final String[] names(int words) {
      String[] names = new String[words];
      try (Statement select = database.prepare("SELECT name FROM word ORDER BY id")) {
        for (int i = 0; i < words; i++) {
          select.step();
          names[i] = String.valueOf(select.columnText(0));
        }
      }
      return names;
    }

    @Override
    public long rows() {
      return rows;
    }

    /** Fails unless this batch came to the same as the first one. */
    @Override
    public void next(long nanos) {
      first = first == null ? Long.valueOf(result) : first;
      if (result != first) {
        throw new IllegalStateException(
            "A workload must come to the same each time: first=" + first + ", now=" + result);
      }
    }

    @Override
    public void close() {
      database.close();
    }
  }

  /** The least that a statement with a string can be. */
  private static final class ShortStatements extends Batch {
    private final Statement statement = database.prepare("SELECT ?1");
    private final String[] names = names(rows);

    ShortStatements() {
      super(2_000, 2_000);
    }

    @Override
    public void run() {
      result = 0;
      for (String name : names) {
        statement.bindText(1, name);
        if (statement.step()) {
          result++;
        }
        statement.reset();
      }
    }
  }

  /** A string from one row of many, found by its name, in an order that jumps about. */
  private static final class LookUps extends Batch {
    private static final int TABLE_ROWS = 50_000;

    private final Statement lookUp;
    private final String[] names = new String[rows];

    LookUps() {
      super(1_000, TABLE_ROWS);
      database.execute("CREATE UNIQUE INDEX word_name ON word (name)");
      lookUp = database.prepare("SELECT meaning FROM word WHERE name = ?1");
      String[] all = names(TABLE_ROWS);
      for (int i = 0; i < rows; i++) {
        names[i] = all[(int) (i * 7_919L % TABLE_ROWS)]; // a prime, so that no name comes twice
      }
    }

    @Override
    public void run() {
      result = 0;
      for (String name : names) {
        lookUp.bindText(1, name);
        if (lookUp.step()) {
          result = 31 * result + Objects.hashCode(lookUp.columnText(0));
        }
        lookUp.reset();
      }
    }
  }

  /** All rows of a table: one statement, and two strings from each row. */
  private static final class Selects extends Batch {
    private final Statement select =
        database.prepare("SELECT name, meaning FROM word WHERE name <> ?1");

    Selects() {
      super(5_000, 5_000);
    }

    @Override
    public void run() {
      result = 0;
      select.bindText(1, "no such name");
      while (select.step()) {
        result = 31 * result + Objects.hash(select.columnText(0), select.columnText(1));
      }
      select.reset();
    }
  }
}
