package dev.rockpool.examples.sqlite;

/** SQLite refused: the message has its own words, the result code, and what it was asked. */
public final class SqliteException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;

  SqliteException(String text, int code, String asked) {
    super(text + " (SQLite's result code " + code + "): " + asked);
    this.code = code;
  }

  /**
   * The extended result code, for example 2067, {@code SQLITE_CONSTRAINT_UNIQUE}; the lowest eight
   * bits are the primary one, here 19, {@code SQLITE_CONSTRAINT}.
   */
  public int code() {
    return code;
  }
}
