package dev.rockpool.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void alignsNamesToTheLeftAndFiguresToTheRight() {
    Table table =
        Table.each(List.of("strlen", "a"))
            .column("call", call -> call)
            .column("letters", call -> 1000 * call.length())
            .column("first", call -> call.equals("a") ? "" : call.charAt(0))
            .numbers("Calls");
    assertThat(table.text())
        .isEqualTo(
            """
            Calls

            call     letters   first
            ------------------------
            strlen     6,000       s
            a          1,000
            """);
  }

  @Test
  void saysThatThereAreMoreRows() {
    List<Integer> numbers = IntStream.rangeClosed(1, 21).boxed().toList();
    Table table = Table.first(numbers).column("number", number -> number).words("Numbers");
    assertThat(table.text()).startsWith("Numbers, 20 of 21\n").endsWith("\n20\n");
  }

  /** A jar's names must not forge lines, nor colours. */
  @Test
  void showsNoControlCharacters() {
    assertThat(Table.each(List.of("\u001b[31ma\nok")).column("jar", name -> name).words("").text())
        .endsWith("\n?[31ma?ok\n");
    assertThat(Table.printable(" ::error::a::b")).isEqualTo("?:error::a::b");
  }
}
