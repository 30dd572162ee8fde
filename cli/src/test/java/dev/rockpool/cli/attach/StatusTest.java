package dev.rockpool.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.attach.StatusCommand.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text of {@code status} for a JVM of another JDK than the one that runs the tests. */
class StatusTest {
  @Test
  void arenasMayBeLeftToTheJdksOwnPool() {
    String size = "the JDK's own pool: 8 blocks of 512 bytes a thread";
    Status status = new Status(1, "arenas=on", Map.of(), size, null, null, List.of());

    assertThat(status.text())
        .contains("Arenas are " + size + ".\n")
        .doesNotContain("The pool has not been used");
  }

  /** As after an attach that records. */
  @Test
  void arenasMayBeLeftToTheJdk() {
    Status status = new Status(1, "arenas=off,record=a", Map.of(), null, null, null, List.of());

    assertThat(status.text())
        .contains("arenas=off: arenas are the JDK's.\n", "or the agent is about to show them")
        .doesNotContain("The pool has not been used");
  }

  @Test
  void blocksAllocatedAreAShareOfArenas() {
    Map<String, Object> pool =
        Map.of(
            "state", "ON", "arenasClosed", 2000L, "blocksAllocated", 50L, "allocationsByJdk", 3L);
    Status status = new Status(1, "arenas=on", Map.of(), null, null, pool, List.of());

    assertThat(status.text())
        .contains(
            """
            since the start          number             share
            -------------------------------------------------
            arenas closed             2,000
            blocks allocated             50   2.5 % of arenas
            allocations by the JDK        3
            """);
  }

  @Test
  void checkedArenasAreNotCounted() {
    Map<String, Object> pool = Map.of("state", "CHECKED", "arenasClosed", 0L, "lateWrites", 2L);
    Status status = new Status(1, "arenas=on", Map.of(), null, null, pool, List.of());

    assertThat(status.text())
        .contains("Pool: CHECKED.", "not counted", "Overruns: 0, late writes: 2\n")
        .doesNotContain("arenas closed", "0 blocks");
  }
}
