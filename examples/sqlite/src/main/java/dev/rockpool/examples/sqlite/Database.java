package dev.rockpool.examples.sqlite;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A connection to a database, confined with its statements to the thread that opened it.
 *
 * {@snippet :
 * try (Database database = Database.inMemory();
 *     Statement statement = database.prepare("SELECT upper(?1)")) {
 *   statement.bindText(1, "tide").step();
 *   statement.columnText(0); // "TIDE"
 * }
 * }
 *
 * <p>All methods but {@link #sqliteVersion} throw {@link WrongThreadException} on another thread
 * and, {@link #close} excepted, {@link IllegalStateException} once it is closed. A refusal of
 * SQLite is a {@link SqliteException}.
 */
public final class Database implements AutoCloseable {
  /** Without locks of SQLite's own: there is one thread. */
  private static final int FLAGS =
      Sqlite3.OPEN_READWRITE | Sqlite3.OPEN_CREATE | Sqlite3.OPEN_NOMUTEX;

  private final MemorySegment handle;
  private final Thread owner = Thread.currentThread();
  private final Set<Statement> statements = new HashSet<>();
  private boolean closed;

  private Database(MemorySegment handle) {
    this.handle = handle;
  }

  /** Opens a database file, which is created if there is none. */
  public static Database open(Path file) {
    // Absolute, since a few short names mean something else to SQLite.
    return open(file.toAbsolutePath().toString());
  }

  /** Opens a new, empty database that lives until it is closed. */
  public static Database inMemory() {
    return open(":memory:");
  }

  private static Database open(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ADDRESS);
      int code = Sqlite3.open(arena.allocateFrom(name), result, FLAGS);
      // There is a connection even where opening failed: it knows why, and has to be closed.
      MemorySegment handle = result.get(ADDRESS, 0);
      if (code != Sqlite3.OK) {
        SqliteException failure = failure(handle, name);
        Sqlite3.close(handle);
        throw failure;
      }
      return new Database(handle);
    }
  }

  /** The version of the library that the system has, for example "3.40.1". */
  public static String sqliteVersion() {
    return Sqlite3.libversion().getString(0);
  }

  /**
   * Compiles one statement.
   *
   * @throws IllegalArgumentException if there is none in {@code sql}, or something behind the first
   */
  public Statement prepare(String sql) {
    MemorySegment database = handle();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(sql);
      MemorySegment result = arena.allocate(ADDRESS);
      MemorySegment tail = arena.allocate(ADDRESS);
      int bytes = Math.toIntExact(text.byteSize());
      if (Sqlite3.prepare(database, text, bytes, result, tail) != Sqlite3.OK) {
        throw failure(sql);
      }
      MemorySegment statement = result.get(ADDRESS, 0);
      long compiled = tail.get(ADDRESS, 0).address() - text.address();
      if (statement.address() == 0 || !isBlank(text, compiled)) {
        Sqlite3.finish(statement);
        throw new IllegalArgumentException("SQL must be one statement, and nothing else: " + sql);
      }
      Statement opened = new Statement(this, statement, sql);
      statements.add(opened);
      return opened;
    }
  }

  void closed(Statement statement) {
    statements.remove(statement);
  }

  int openStatements() {
    return statements.size();
  }

  /** Whether there is nothing but blanks from {@code offset} to the zero at the end. */
  private static boolean isBlank(MemorySegment text, long offset) {
    return Sqlite3.read(text.asSlice(offset), text.byteSize() - offset - 1).isBlank();
  }

  /** Runs one statement without parameters to its end; rows that it has are passed over. */
  public void execute(String sql) {
    try (Statement statement = prepare(sql)) {
      while (statement.step()) {}
    }
  }

  /** The connection, for one call. */
  private MemorySegment handle() {
    requireOwner();
    if (closed) {
      throw new IllegalStateException("A database must be open: it was closed before");
    }
    return handle;
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  void requireOwner() {
    if (Thread.currentThread() != owner) {
      throw new WrongThreadException(
          "A database is confined to the thread that opened it: owner=%s, this=%s; open one for each"
                  .formatted(owner, Thread.currentThread())
              + " thread");
    }
  }

  /** Why the last call failed that has to do with {@code asked}. */
  SqliteException failure(String asked) {
    return failure(handle, asked);
  }

  private static SqliteException failure(MemorySegment handle, String asked) {
    String text = Sqlite3.errmsg(handle).getString(0);
    return new SqliteException(text, Sqlite3.extendedErrcode(handle), asked);
  }

  /** Closes the database, and those of its statements that are open; again, nothing. */
  @Override
  public void close() {
    requireOwner();
    if (closed) {
      return;
    }
    closed = true;
    List.copyOf(statements).forEach(Statement::close);
    if (Sqlite3.close(handle) != Sqlite3.OK) {
      throw failure("close");
    }
  }
}
