package dev.rockpool.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A compiled statement of a {@link Database}, confined to the same thread.
 *
 * <p>Bind its parameters, step from row to row, read columns, then reset it and start over.
 * Parameters count from 1, columns from 0, as in SQLite.
 *
 * <p>All methods throw {@link WrongThreadException} on another thread and, {@link #close} excepted,
 * {@link IllegalStateException} once the statement or its database is closed. A refusal of SQLite
 * is a {@link SqliteException}.
 */
public final class Statement implements AutoCloseable {
  private final Database database;
  private final MemorySegment handle;
  private final String sql;
  private boolean closed;

  Statement(Database database, MemorySegment handle, String sql) {
    this.database = database;
    this.handle = handle;
    this.sql = sql;
  }

  /**
   * Binds a text, with all characters it has: zeroes, too. (Half of a surrogate pair is no
   * character, and becomes a question mark.)
   */
  public Statement bindText(int parameter, String value) {
    MemorySegment statement = handle();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(value);
      // The statement needs the text until it is bound anew, the arena ends here: SQLite copies.
      return check(Sqlite3.bindText(statement, parameter, text, text.byteSize() - 1));
    }
  }

  private Statement check(int code) {
    if (code != Sqlite3.OK) {
      throw database.failure(sql);
    }
    return this;
  }

  /**
   * Goes on to the next row. After the last one, or after a failure, it begins anew.
   *
   * @return whether there is a row
   */
  public boolean step() {
    return switch (Sqlite3.step(handle())) {
      case Sqlite3.ROW -> true;
      case Sqlite3.DONE -> false;
      default -> throw database.failure(sql);
    };
  }

  /** Goes back to before the first row. Bound parameters stay bound. */
  public Statement reset() {
    // Returns the failure of the last step, which the step has thrown.
    Sqlite3.reset(handle());
    return this;
  }

  /**
   * The column as text, or null if it is NULL.
   *
   * @throws IllegalStateException if there is no row, or no such column in it
   */
  public @Nullable String columnText(int column) {
    MemorySegment statement = handle();
    MemorySegment text = Sqlite3.columnText(statement, column);
    if (text.address() == 0) {
      requireColumn(column);
      if (Sqlite3.columnType(statement, column) != Sqlite3.NULL) {
        throw database.failure(sql); // for lack of memory
      }
      return null;
    }
    // Ours only until the next call for this column or a step, hence a copy.
    return Sqlite3.read(text, Sqlite3.columnBytes(statement, column));
  }

  /** SQLite gives the same for a missing column as for NULL: asked only then. */
  private void requireColumn(int column) {
    int columns = Sqlite3.dataCount(handle);
    if (column < 0 || column >= columns) {
      throw new IllegalStateException(
          "A column is read from a row that step() has reached: column=%s, columns in this row=%s: %s"
              .formatted(column, columns, sql));
    }
  }

  /** The statement, for one call. */
  private MemorySegment handle() {
    database.requireOwner();
    if (closed) {
      throw new IllegalStateException(
          "A statement must be open: it or its database was closed before: " + sql);
    }
    return handle;
  }

  /** Frees what the statement holds; again, or after its database was closed, nothing. */
  @Override
  public void close() {
    database.requireOwner();
    if (closed) {
      return;
    }
    closed = true;
    database.closed(this);
    // Returns the failure of the last step, which the step has thrown.
    Sqlite3.finish(handle);
  }
}
