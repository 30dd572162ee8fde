package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void alignsNamesToTheLeftAndFiguresToTheRight() {
    TextTable table =
        new TextTable("call", "ns", "ratio").row("strlen", "4.2", "12.0x").row("a", "100", "");
    assertThat(table)
        .hasToString(
            """
            call      ns   ratio
            --------------------
            strlen   4.2   12.0x
            a        100
            """);
  }

  @Test
  void refusesARowOfAnotherWidth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TextTable("call", "ns").row("strlen"))
        .withMessage(
            "A row must have as many cells as the header: header=[call, ns], cells=[strlen]");
  }
}
