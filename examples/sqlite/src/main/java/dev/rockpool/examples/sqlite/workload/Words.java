package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;

/** A table of strings as people store them: names of 10 to 13 characters, meanings of 24 to 29. */
final class Words {
  private Words() {}

  static void createTable(Database database) {
    database.execute("CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT, meaning TEXT)");
  }

  /** Fills the table by SQL alone, so that the binding's work is what is measured, and no more. */
  static void fillTable(Database database, int rows) {
    createTable(database);
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
            .formatted(rows));
  }

  /** A column of the first {@code rows} words. */
  static String[] read(Database database, String column, int rows) {
    String[] values = new String[rows];
    String sql = "SELECT " + column + " FROM word ORDER BY id";
    try (Statement select = database.prepare(sql)) {
      for (int i = 0; i < rows; i++) {
        select.step();
        values[i] = String.valueOf(select.columnText(0));
      }
    }
    return values;
  }
}
