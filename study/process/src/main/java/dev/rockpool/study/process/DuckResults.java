package dev.rockpool.study.process;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** DuckDB by JDBC, which has an allocator of its own. The result of a query is in its memory. */
final class DuckResults extends Work {
  private static final int ROWS = 50_000;
  private static final String QUERY =
      "select i, hash(i) h, hash(i + 1) j from range(" + ROWS + ") t(i)";
  private static final long BYTES = ROWS * 3L * Long.BYTES;

  private final List<Object> kept = new ArrayList<>();
  private final Connection connection;

  DuckResults() throws SQLException {
    super(2);
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("set threads = 2");
    }
  }

  @Override
  void leak(int number) throws SQLException {
    Statement statement = connection.createStatement();
    ResultSet result = statement.executeQuery(QUERY);
    result.next();
    kept.add(statement);
    kept.add(result);
    leaked(BYTES);
  }

  @Override
  void close(int number) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(QUERY)) {
      result.next();
    }
  }
}
