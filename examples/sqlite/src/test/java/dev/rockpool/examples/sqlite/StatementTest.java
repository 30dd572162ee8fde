package dev.rockpool.examples.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsSqlite
class StatementTest {
  private final Database database = Database.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private static Stream<String> texts() {
    return Stream.of(
        "",
        "a",
        "grüße, 浪, \uD83C\uDF0A",
        "\0",
        "before\0after\0",
        "x".repeat(511),
        "long ".repeat(200_000));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void givesBackTheTextThatWasBound(String text) {
    try (Statement statement = database.prepare("SELECT ?1, length(CAST(?1 AS BLOB))")) {
      assertThat(statement.bindText(1, text).step()).isTrue();
      assertThat(statement.columnText(0)).isEqualTo(text);
      assertThat(statement.columnText(1)).isEqualTo("" + text.getBytes(UTF_8).length);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void givesBackTheTextThatWasStored(String text) {
    database.execute("CREATE TABLE a (b TEXT)");
    try (Statement insert = database.prepare("INSERT INTO a VALUES (?1)");
        Statement select = database.prepare("SELECT b FROM a WHERE b = ?1")) {
      assertThat(insert.bindText(1, text).step()).isFalse();
      assertThat(select.bindText(1, text).step()).isTrue();
      assertThat(select.columnText(0)).isEqualTo(text);
    }
  }

  @Test
  void bindsAQuestionMarkForHalfAPair() {
    try (Statement statement = database.prepare("SELECT ?1")) {
      statement.bindText(1, "a\uD83Cb").step();
      assertThat(statement.columnText(0)).isEqualTo("a?b");
    }
  }

  /** The memory that a text was in is used again at once: SQLite must have a copy. */
  @Test
  void keepsTextsThatWereBoundBefore() {
    try (Statement statement = database.prepare("SELECT ?1, ?2")) {
      statement.bindText(1, "the first").bindText(2, "and other");
      for (int i = 0; i < 1000; i++) {
        try (Statement other = database.prepare("SELECT ?1")) {
          other.bindText(1, "elsewhere").step();
        }
      }
      assertThat(statement.step()).isTrue();
      assertThat(statement.columnText(0)).isEqualTo("the first");
      assertThat(statement.columnText(1)).isEqualTo("and other");
    }
  }

  @Test
  void tellsNullFromEmpty() {
    try (Statement statement = database.prepare("SELECT ?1, ?2")) {
      statement.bindText(2, "").step();
      assertThat(statement.columnText(0)).as("nothing bound").isNull();
      assertThat(statement.columnText(1)).isEmpty();
    }
  }

  @Test
  void keepsWhatIsBoundUntilItIsBoundAnew() {
    try (Statement statement = database.prepare("SELECT ?1 || ?2")) {
      statement.bindText(1, "a").bindText(2, "b").step();
      statement.reset().bindText(2, "c").step();
      assertThat(statement.columnText(0)).isEqualTo("ac");
    }
  }

  @Test
  void stepsFromRowToRow() {
    try (Statement statement = database.prepare("VALUES ('a'), ('b')")) {
      assertThat(statement.step()).isTrue();
      assertThat(statement.columnText(0)).isEqualTo("a");
      assertThat(statement.step()).isTrue();
      assertThat(statement.columnText(0)).isEqualTo("b");
      assertThat(statement.step()).isFalse();
      assertThat(statement.step()).as("begins anew").isTrue();
      assertThat(statement.reset().step()).isTrue();
      assertThat(statement.columnText(0)).isEqualTo("a");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 2})
  void refusesParametersThatAreNotThere(int parameter) {
    try (Statement statement = database.prepare("SELECT ?1")) {
      assertThatExceptionOfType(SqliteException.class)
          .isThrownBy(() -> statement.bindText(parameter, "a"))
          .withMessage("column index out of range (SQLite's result code 25): SELECT ?1");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, Integer.MAX_VALUE})
  void refusesColumnsThatAreNotThere(int column) {
    try (Statement statement = database.prepare("SELECT 'a'")) {
      statement.step();
      assertThatIllegalStateException()
          .isThrownBy(() -> statement.columnText(column))
          .withMessage(
              "A column is read from a row that step() has reached: column="
                  + column
                  + ", columns in this row=1: SELECT 'a'");
      assertThat(statement.columnText(0)).isEqualTo("a");
    }
  }

  @Test
  void refusesColumnsWhereThereIsNoRow() {
    try (Statement statement = database.prepare("SELECT 'a'")) {
      assertThatIllegalStateException()
          .isThrownBy(() -> statement.columnText(0))
          .withMessageContaining("columns in this row=0");
      statement.step();
      statement.step();
      assertThatIllegalStateException().isThrownBy(() -> statement.columnText(0));
    }
  }

  @Test
  void refusesABindingInTheMiddleOfRows() {
    try (Statement statement = database.prepare("SELECT ?1")) {
      statement.bindText(1, "a").step();
      assertThatExceptionOfType(SqliteException.class)
          .isThrownBy(() -> statement.bindText(1, "b"))
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(21));
      assertThat(statement.columnText(0)).isEqualTo("a");
    }
  }

  @Test
  void goesOnAfterAFailure() {
    database.execute("CREATE TABLE a (b TEXT UNIQUE)");
    try (Statement insert = database.prepare("INSERT INTO a VALUES (?1)")) {
      insert.bindText(1, "once").step();
      assertThatExceptionOfType(SqliteException.class).isThrownBy(() -> insert.reset().step());
      assertThat(insert.reset().bindText(1, "other").step()).isFalse();
    }
  }

  @Test
  void refusesNullAsText() {
    try (Statement statement = database.prepare("SELECT ?1")) {
      assertThatNullPointerException().isThrownBy(() -> statement.bindText(1, null));
    }
  }

  @Test
  void refusesWorkOnceClosed() {
    Statement statement = database.prepare("SELECT ?1");
    statement.close();
    statement.close();
    Stream.<Runnable>of(
            statement::step,
            statement::reset,
            () -> statement.bindText(1, "a"),
            () -> statement.columnText(0))
        .forEach(
            call ->
                assertThatIllegalStateException()
                    .isThrownBy(call::run)
                    .withMessage(
                        "A statement must be open: it or its database was closed before: SELECT"
                            + " ?1"));
  }
}
