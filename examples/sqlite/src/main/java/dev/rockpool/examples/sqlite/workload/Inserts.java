package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.Statement;

/** Rows with two strings, in one transaction. */
final class Inserts implements Batch {
  private static final int ROWS = 1_000;

  private final Database database = Database.inMemory();
  private final Statement insert;
  private final String[] names;
  private final String[] meanings;

  Inserts() {
    Words.fillTable(database, ROWS);
    names = Words.read(database, "name", ROWS);
    meanings = Words.read(database, "meaning", ROWS);
    insert = database.prepare("INSERT INTO word (name, meaning) VALUES (?1, ?2)");
    undo();
  }

  @Override
  public int rows() {
    return ROWS;
  }

  @Override
  public void run() {
    database.execute("BEGIN");
    for (int i = 0; i < ROWS; i++) {
      insert.bindText(1, names[i]);
      insert.bindText(2, meanings[i]);
      insert.step();
      insert.reset();
    }
    database.execute("COMMIT");
  }

  @Override
  public long result() {
    String sql = "SELECT sum(id * length(name || meaning)) FROM word";
    try (Statement select = database.prepare(sql)) {
      select.step();
      return select.columnLong(0);
    }
  }

  @Override
  public void undo() {
    database.execute("DELETE FROM word");
  }

  @Override
  public void close() {
    database.close();
  }
}
