package dev.rockpool.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsSqlite
class DatabaseTest {
  @TempDir private Path folder;

  private static String count(Database database, String table) {
    try (Statement statement = database.prepare("SELECT count(*) FROM " + table)) {
      assertThat(statement.step()).isTrue();
      return statement.columnText(0);
    }
  }

  @Test
  void keepsWhatIsInAFile() {
    Path file = folder.resolve("grüße.db");
    try (Database database = Database.open(file)) {
      database.execute("CREATE TABLE a (b TEXT)");
      database.execute("INSERT INTO a VALUES ('kept')");
    }
    assertThat(file).isRegularFile();
    try (Database database = Database.open(file)) {
      assertThat(count(database, "a")).isEqualTo("1");
    }
  }

  @Test
  void takesEachNameForThatOfAFile() {
    Path file = folder.resolve(":memory:");
    Database.open(file).close();
    assertThat(Files.exists(file)).isTrue();
  }

  @Test
  void givesEachDatabaseInMemoryTablesOfItsOwn() {
    try (Database one = Database.inMemory();
        Database other = Database.inMemory()) {
      one.execute("CREATE TABLE a (b)");
      assertThatExceptionOfType(SqliteException.class)
          .isThrownBy(() -> count(other, "a"))
          .withMessageStartingWith("no such table: a ");
    }
  }

  @Test
  void tellsWhyItCannotBeOpened() {
    Path file = folder.resolve("no such folder").resolve("a.db");
    assertThatExceptionOfType(SqliteException.class)
        .isThrownBy(() -> Database.open(file))
        .withMessage("unable to open database file (SQLite's result code 14): " + file)
        .satisfies(failure -> assertThat(failure.code() & 0xff).isEqualTo(14));
  }

  @Test
  void tellsWhatIsWrongWithSql() {
    try (Database database = Database.inMemory()) {
      assertThatExceptionOfType(SqliteException.class)
          .isThrownBy(() -> database.prepare("SELEC 1"))
          .withMessage("near \"SELEC\": syntax error (SQLite's result code 1): SELEC 1")
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(1));
      assertThatNullPointerException().isThrownBy(() -> database.prepare(null));
      database.execute("SELECT 1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; x", "SELECT 1\0 and more"})
  void refusesSqlThatIsNotOneStatement(String sql) {
    try (Database database = Database.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.prepare(sql))
          .withMessage("SQL must be one statement, and nothing else: " + sql);
    }
  }

  @Test
  void takesBlanksBehindTheStatement() {
    try (Database database = Database.inMemory()) {
      assertThatNoException().isThrownBy(() -> database.execute("SELECT 1 ; \n"));
    }
  }

  @Test
  void tellsWhichConstraintWasViolated() {
    try (Database database = Database.inMemory()) {
      database.execute("CREATE TABLE word (name TEXT UNIQUE, meaning TEXT NOT NULL)");
      database.execute("INSERT INTO word VALUES ('tide', '')");
      String again = "INSERT INTO word VALUES ('tide', '')";
      assertThatExceptionOfType(SqliteException.class)
          .isThrownBy(() -> database.execute(again))
          .withMessage("UNIQUE constraint failed: word.name (SQLite's result code 2067): " + again)
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(2067));
      assertThat(count(database, "word")).isEqualTo("1");
    }
  }

  @Test
  void refusesWorkOnceClosed() {
    Database database = Database.inMemory();
    database.close();
    database.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> database.execute("SELECT 1"))
        .withMessage("A database must be open: it was closed before");
  }

  /** Were one left, SQLite would refuse to close. */
  @Test
  void closesStatementsThatWereLeftOpen() {
    Database database = Database.inMemory();
    Statement fresh = database.prepare("SELECT 1");
    Statement stepped = database.prepare("SELECT ?1 UNION ALL SELECT 2");
    stepped.bindText(1, "a").step();

    database.close();

    assertThatIllegalStateException()
        .isThrownBy(fresh::step)
        .withMessage("A statement must be open: it or its database was closed before: SELECT 1");
    assertThatIllegalStateException().isThrownBy(() -> stepped.columnText(0));
    fresh.close();
    stepped.close();
  }

  @Test
  void forgetsStatementsThatWereClosed() {
    try (Database database = Database.inMemory()) {
      for (int i = 0; i < 100; i++) {
        database.prepare("SELECT " + i).close();
      }
      assertThatIllegalArgumentException().isThrownBy(() -> database.prepare("SELECT 1; SELECT 2"));
      assertThat(database.openStatements()).isZero();
    }
  }

  @Test
  void refusesOtherThreadsThanItsOwn() {
    try (Database database = Database.inMemory();
        Statement statement = database.prepare("SELECT ?1")) {
      refusedElsewhere(() -> database.prepare("SELECT 1"));
      refusedElsewhere(() -> database.execute("SELECT 1"));
      refusedElsewhere(database::close);
      refusedElsewhere(() -> statement.bindText(1, "a"));
      refusedElsewhere(statement::step);
      refusedElsewhere(statement::close);
      assertThat(statement.bindText(1, "a").step()).isTrue();
    }
  }

  private static void refusedElsewhere(Runnable call) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> CompletableFuture.runAsync(call).join())
        .havingCause()
        .isInstanceOf(WrongThreadException.class)
        .withMessageStartingWith(
            "A database is confined to the thread that opened it: owner="
                + Thread.currentThread()
                + ", this=")
        .withMessageEndingWith("; open one for each thread");
  }
}
