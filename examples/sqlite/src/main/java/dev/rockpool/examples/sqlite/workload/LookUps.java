package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;

/** One row of many by its name, in an order that jumps about. */
final class LookUps implements Batch {
  private static final int TABLE_ROWS = 50_000;
  private static final int ROWS = 5_000;

  private final Database database = Database.inMemory();
  private final Statement lookUp;
  private final String[] names = new String[ROWS];

  LookUps() {
    Words.fillTable(database, TABLE_ROWS);
    database.execute("CREATE UNIQUE INDEX word_name ON word (name)");
    lookUp = database.prepare("SELECT id FROM word WHERE name = ?1");
    String[] all = Words.read(database, "name", TABLE_ROWS);
    for (int i = 0; i < ROWS; i++) {
      // A prime, so that no name comes twice.
      names[i] = all[(int) (i * 7_919L % TABLE_ROWS)];
    }
  }

  @Override
  public int rows() {
    return ROWS;
  }

  @Override
  public long run() {
    long sum = 0;
    for (String name : names) {
      lookUp.bindText(1, name);
      if (lookUp.step()) {
        sum = 31 * sum + lookUp.columnLong(0);
      }
      lookUp.reset();
    }
    return sum;
  }

  @Override
  public void close() {
    database.close();
  }
}
