package dev.rockpool.cli.bench;

import static dev.rockpool.cli.bench.Samples.NEW;
import static dev.rockpool.cli.bench.Samples.OLD;
import static dev.rockpool.cli.bench.Samples.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rockpool.cli.bench.Result.Ratio;
import dev.rockpool.cli.bench.Result.Score;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GroupTest {
  private static List<String> contestants(Group group) {
    return group.rows().stream().map(Group.Row::contestant).toList();
  }

  private static double ratio(Group group, int row) {
    return Objects.requireNonNull(group.rows().get(row).ratio()).value();
  }

  @Test
  void comparesEachContestantWithTheArenaOfTheSameJdk() {
    List<Group> groups =
        Group.of(
            List.of(
                result(OLD, 24, 1, "EmptyArena.jdk"),
                result(OLD, 2, 1, "EmptyArena.rockpool"),
                result(NEW, 3, 1, "EmptyArena.rockpool"),
                result(NEW, 3, 1, "EmptyArena.jdk")));

    assertThat(groups)
        .extracting(each -> each.table().caption())
        .containsExactly("EmptyArena on JDK 25 and JDK 28");
    assertThat(groups.getFirst().table().rows())
        .extracting(cells -> cells.get(1) + " " + cells.get(4))
        .containsExactly("JDK 25 12.0x", "JDK 28 ~1.00x");
  }

  @Test
  void comparesTheSameParametersOnly() {
    Group group =
        Group.of(
                List.of(
                    result(OLD, 20, 1, "A.jdk", "5"),
                    result(OLD, 30, 1, "A.jdk", "64"),
                    result(OLD, 3, 1, "A.rockpool", "64"),
                    result(OLD, 3, 1, "A.rockpool", "8")))
            .getFirst();

    assertThat(group.rows())
        .extracting(row -> row.contestant() + " " + row.parameters())
        .containsExactly("jdk size=5", "jdk size=64", "rockpool size=64", "rockpool size=8");
    assertThat(group.rows().get(3).ratio()).isNull();
    assertThat(ratio(group, 2)).isEqualTo(10);
  }

  @Test
  void keepsKindsOfJvmApartAndTheAgentBesideTheJdk() {
    List<Group> groups =
        Group.of(
            List.of(
                result(OLD, Mode.INTERPRETED, 2000, 1, "A.jdk"),
                result(OLD, Mode.AGENT, 4, 1, "A.jdk"),
                result(OLD, 20, 1, "A.jdk")));

    assertThat(groups)
        .extracting(each -> each.table().caption())
        .containsExactly("A on JDK 25", "A, interpreted on JDK 25");
    assertThat(contestants(groups.getFirst())).containsExactly("jdk", "agent");
    assertThat(ratio(groups.getFirst(), 1)).isEqualTo(5);
  }

  @Test
  void comparesVirtualThreadsWithEachOtherWhateverTheirJvmIs() {
    List<Group> groups =
        Group.of(
            List.of(
                result(OLD, 20, 1, "A.jdk"),
                result(OLD, Mode.VIRTUAL_AGENT, 5, 1, "A.jdk"),
                result(OLD, Mode.VIRTUAL_OPENED, 4, 1, "A.rockpool"),
                result(OLD, Mode.VIRTUAL, 40, 1, "A.jdk"),
                result(OLD, Mode.VIRTUAL, 10, 1, "A.rockpool")));

    assertThat(groups)
        .extracting(each -> each.table().caption())
        .containsExactly("A on JDK 25", "A, virtual on JDK 25");
    Group virtual = groups.getLast();
    assertThat(contestants(virtual)).containsExactly("jdk", "agent", "opened", "rockpool");
    assertThat(ratio(virtual, 1)).isEqualTo(8);
    assertThat(ratio(virtual, 2)).isEqualTo(10);
    assertThat(ratio(virtual, 3)).isEqualTo(4);
  }

  @Test
  void keepsTheSweepApart() {
    assertThat(
            Group.of(
                List.of(
                    Samples.sweep(Mode.PLATFORM, 20, "A.jdk", "5"),
                    result(OLD, 2, 1, "A.rockpool", "5"))))
        .extracting(each -> each.table().caption())
        .containsExactly("A on JDK 25", "A, each size on JDK 25");
  }

  @Test
  void ordersContestantsAndComparesNobodyWithAFloor() {
    Group group =
        Group.of(
                List.of(
                    result(OLD, 1, 1, "A.callOnly"),
                    result(OLD, 1, 1, "A.lwjglStack"),
                    result(OLD, 1, 1, "A.another"),
                    result(OLD, 1, 1, "A.rockpool"),
                    result(OLD, Mode.AGENT, 1, 1, "A.jdk"),
                    result(OLD, 1, 1, "A.jdk")))
            .getFirst();

    assertThat(contestants(group))
        .containsExactly("jdk", "agent", "rockpool", "lwjglStack", "another", "callOnly");
    assertThat(group.rows().getLast().ratio()).isNull();
    assertThat(group.rows().getFirst().ratio()).isNull();
  }

  @Test
  void ratioHasTheRangeThatBothErrorsLeave() {
    Ratio ratio = Ratio.of(new Score(22, 2), new Score(2, 0.5));

    assertThat(ratio.value()).isEqualTo(11);
    assertThat(ratio.low()).isCloseTo(20 / 2.5, within(1e-9));
    assertThat(ratio.high()).isCloseTo(24 / 1.5, within(1e-9));
    assertThat(ratio.text()).isEqualTo("11.0x");
  }

  @Test
  void ratioWithinTheErrorsIsUndecided() {
    assertThat(Ratio.of(new Score(2.1, 0.1), new Score(2, 0.1)).text()).isEqualTo("~1.05x");
    assertThat(Ratio.of(new Score(2, 0.1), new Score(2.1, 0.1)).text()).isEqualTo("~0.95x");
    assertThat(Ratio.of(new Score(20, 1), new Score(2, 3)).high()).isInfinite();
  }

  @Test
  void ratioOfScoresWithoutErrorIsJustANumber() {
    Ratio ratio = Ratio.of(new Score(3, Double.NaN), new Score(2, Double.NaN));

    assertThat(ratio.text()).isEqualTo("1.50x");
    assertThat(ratio.low()).isNaN();
  }
}
