package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;
import java.util.Objects;

/** All rows of a table: one statement, and two strings from each row. */
final class Selects implements Batch {
  private static final int ROWS = 5_000;

  private final Database database = Database.inMemory();
  private final Statement select;
  private long sum;

  Selects() {
    Words.fillTable(database, ROWS);
    select = database.prepare("SELECT name, meaning FROM word WHERE name <> ?1");
  }

  @Override
  public int rows() {
    return ROWS;
  }

  @Override
  public void run() {
    sum = 0;
    select.bindText(1, "no such name");
    while (select.step()) {
      sum = 31 * sum + Objects.hash(select.columnText(0), select.columnText(1));
    }
    select.reset();
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
