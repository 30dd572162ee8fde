package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;
import java.util.Objects;

/** A string from one row of many, found by its name, in an order that jumps about. */
final class LookUps implements Batch {
  private static final int TABLE_ROWS = 50_000;
  private static final int ROWS = 1_000;

  private final Database database = Database.inMemory();
  private final Statement lookUp;
  private final String[] names = new String[ROWS];
  private long sum;

  LookUps() {
    Words.fillTable(database, TABLE_ROWS);
    database.execute("CREATE UNIQUE INDEX word_name ON word (name)");
    lookUp = database.prepare("SELECT meaning FROM word WHERE name = ?1");
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
  public void run() {
    sum = 0;
    for (String name : names) {
      lookUp.bindText(1, name);
      if (lookUp.step()) {
        sum = 31 * sum + Objects.hashCode(lookUp.columnText(0));
      }
      lookUp.reset();
    }
  }

  @Override
  public long result() {
    return sum;
  }

  @Override
  public void close() {
    database.close();
  }
}
