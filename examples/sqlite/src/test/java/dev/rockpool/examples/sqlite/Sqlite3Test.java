package dev.rockpool.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class Sqlite3Test {
  @Test
  void tellsWhatToDoWhereThereIsNone() {
    assertThatExceptionOfType(UnsatisfiedLinkError.class)
        .isThrownBy(() -> Sqlite3.Library.load("/no/such/libsqlite3.so"))
        .withMessage(
            "SQLite's shared library must be on this system: none of [/no/such/libsqlite3.so] could"
                + " be loaded; install it (Debian, Ubuntu: apt-get install libsqlite3-0; Fedora:"
                + " dnf install sqlite-libs), or name its file by -Dsqlite.library=FILE");
  }

  @Test
  void takesTheLibraryThatIsNamed() {
    String other = System.mapLibraryName("jimage"); // in a folder where nobody looks
    String file = System.getProperty("java.home") + "/lib/" + other;
    assertThat(Sqlite3.Library.load(file).find("sqlite3_step")).isEmpty();
  }
}
