package dev.rockpool.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentNotesTest {
  private static final String PRESENT = "[rockpool] agent 0.1.0 on JDK 25: verbose=on";

  @Test
  void countsWhatWasRewritten() {
    AgentNotes notes =
        AgentNotes.in(
            List.of(
                "a line of the program",
                PRESENT,
                "[rockpool] com.acme.A: 1 call site of Arena.ofConfined() rewritten",
                "[rockpool] com.acme.B$1: 12 call sites of Arena.ofConfined() rewritten"));
    assertThat(notes).isEqualTo(new AgentNotes(true, 2, 13));
    assertThat(notes)
        .hasToString("Calls of Arena.ofConfined() that the agent rewrote: 13, in 2 classes.");
  }

  @Test
  void expectsNoGainWhereNothingWasRewritten() {
    assertThat(AgentNotes.in(List.of(PRESENT)).toString()).endsWith("no gain to expect.");
  }

  @Test
  void doubtsAnAgentThatSaidNothing() {
    assertThat(AgentNotes.in(List.of("a line of the program")).toString())
        .endsWith("perhaps it was not there at all.");
  }
}
