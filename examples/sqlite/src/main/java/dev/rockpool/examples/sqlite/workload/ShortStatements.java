package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;

/** The least that a statement with a string can be. */
final class ShortStatements implements Batch {
  private static final int ROWS = 2_000;

  private final Database database = Database.inMemory();
  private final Statement statement = database.prepare("SELECT ?1");
  private final String[] names;
  private long rows;

  ShortStatements() {
    Words.fillTable(database, ROWS);
    names = Words.read(database, "name", ROWS);
  }

  @Override
  public int rows() {
    return ROWS;
  }

  @Override
  public void run() {
    rows = 0;
    for (String name : names) {
      statement.bindText(1, name);
      if (statement.step()) {
        rows++;
      }
      statement.reset();
    }
  }

  @Override
  public long result() {
    return rows;
  }

  @Override
  public void close() {
    database.close();
  }
}
