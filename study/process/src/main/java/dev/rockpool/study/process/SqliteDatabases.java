package dev.rockpool.study.process;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** SQLite by JDBC: a database in memory for each round. */
final class SqliteDatabases extends Work {
  private static final String URL = "jdbc:sqlite::memory:";
  private static final String FILL =
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)"
          + " insert into t select i, hex(randomblob(100)) from n";

  private final List<Connection> kept = new ArrayList<>();

  SqliteDatabases() {
    super(1);
  }

  @Override
  void leak(int number) throws SQLException {
    Connection connection = DriverManager.getConnection(URL);
    leaked(fill(connection));
    kept.add(connection);
  }

  @Override
  void close(int number) throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL)) {
      fill(connection);
    }
  }

  /** Returns the bytes of the pages, which are in memory. */
  private static long fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table t(a integer, b text)");
      statement.execute(FILL);
      return number(statement, "pragma page_count") * number(statement, "pragma page_size");
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      return result.getLong(1);
    }
  }
}
