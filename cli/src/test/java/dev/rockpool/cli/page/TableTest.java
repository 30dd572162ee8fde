package dev.rockpool.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void alignsNamesToTheLeftAndFiguresToTheRight() {
    Table table = Table.of("call", "ns", "ratio").row("strlen", "4.2", "12.0x").row("a", "100", "");
    assertThat(table.text())
        .isEqualTo(
            """
            call      ns   ratio
            --------------------
            strlen   4.2   12.0x
            a        100
            """);
  }

  /** A jar's names must not forge lines, nor colours. */
  @Test
  void showsNoControlCharacters() {
    assertThat(Table.of("jar").row("\u001b[31ma\nok").text()).endsWith("\n?[31ma?ok\n");
  }

  @Test
  void refusesARowOfAnotherWidth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.of("call", "ns").row("strlen"))
        .withMessage(
            "A row must have as many cells as the header: header=[call, ns], cells=[strlen]");
  }
}
