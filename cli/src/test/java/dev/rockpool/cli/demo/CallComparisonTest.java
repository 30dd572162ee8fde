package dev.rockpool.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonObject;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallComparisonTest {
  private static Measurement without(double nanos) {
    return new Measurement(nanos, 96, "JdkArena", "[5]");
  }

  private static Measurement with(double nanos) {
    return new Measurement(nanos, 0.25, "OurArena", "[5]");
  }

  private static CallComparison comparison() {
    return new CallComparison(
        Call.STRLEN,
        List.of(without(90), without(30), without(40)),
        List.of(with(10), with(8), with(77)));
  }

  @Test
  void comparesMedians() {
    comparison().check();
    assertThat(comparison().ratio()).isEqualTo(4);
    assertThat(comparison()).hasToString("strlen: 40.0 ns without, 10.0 ns with the agent");
  }

  @Test
  void refusesAnAgentThatWasNotAtWork() {
    CallComparison idle =
        new CallComparison(
            Call.STRLEN, List.of(without(1), without(2)), List.of(with(1), without(2)));
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(idle::check)
        .withMessageStartingWith(
            "The agent must change the class of confined arenas: for strlen it is JdkArena on both"
                + " sides");
  }

  @Test
  void refusesDifferentResults() {
    Measurement wrong = new Measurement(1, 0, "OurArena", "[6]");
    CallComparison different =
        new CallComparison(Call.STRLEN, List.of(without(1), without(2)), List.of(with(1), wrong));
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(different::check)
        .withMessage(
            "strlen must return the same without and with the agent: without=[[5]],"
                + " with=[[5], [6]]");
  }

  @Test
  void isARowOfTheTable() {
    String text = new CallsReport(List.of(comparison()), true).toText();
    assertThat(text.lines().toList())
        .startsWith(
            "call                    ns without   ns with   ratio   garbage without   garbage with",
            "-------------------------------------------------------------------------------------",
            "strlen of short words         40.0      10.0   4.00x              96 B            0 B")
        .contains("Quick run: the figures mean little.");
    assertThat(new CallsReport(List.of(comparison()), false).toText()).doesNotContain("Quick run");
  }

  @Test
  void isAnObjectOfTheJson() {
    JsonObject json = new CallsReport(List.of(comparison()), false).toJson();
    JsonObject call = json.getAsJsonArray("calls").get(0).getAsJsonObject();
    assertThat(call.get("call").getAsString()).isEqualTo("strlen");
    assertThat(call.get("ratio").getAsDouble()).isEqualTo(4);
    assertThat(call.get("result").getAsString()).isEqualTo("[5]");
    assertThat(call.getAsJsonObject("with"))
        .hasToString(
            "{\"nanosPerCall\":10.0,\"garbageBytesPerCall\":0.25,\"arenaClass\":\"OurArena\","
                + "\"nanosPerCallByRound\":[10.0,8.0,77.0]}");
  }
}
