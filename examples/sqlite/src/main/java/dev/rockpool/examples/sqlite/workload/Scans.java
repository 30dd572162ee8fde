package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;

/** Long queries: SQLite looks at each row of a table, the binding is asked once. */
final class Scans implements Batch {
  private static final int TABLE_ROWS = 20_000;

  private final Database database = Database.inMemory();
  private final Statement count;
  private long found;

  Scans() {
    Words.fillTable(database, TABLE_ROWS);
    count = database.prepare("SELECT count(*) FROM word WHERE meaning LIKE ?1");
  }

  @Override
  public int rows() {
    return 1;
  }

  @Override
  public void run() {
    count.bindText(1, "%number 1%7%");
    count.step();
    found = count.columnLong(0);
    count.reset();
  }

  @Override
  public long result() {
    return found;
  }

  @Override
  public void close() {
    database.close();
  }
}
