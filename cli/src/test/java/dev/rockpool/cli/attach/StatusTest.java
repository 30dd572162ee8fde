package dev.rockpool.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.attach.StatusCommand.Status;
import java.util.LinkedHashMap;
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

  /** A line of the process must not look like one of ours, which a build server obeys. */
  @Test
  void valuesOfTheProcessStartNoLine() {
    String evil = "x\n::error::y";
    Status status =
        new Status(1, evil, Map.of("rockpool." + evil, evil), evil, null, null, List.of());

    assertThat(status.text()).contains("x?::error::y").doesNotContainPattern("(?m)^::error");
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
  void whatIsCountedHasNoLimit() {
    Map<String, Long> sites = new LinkedHashMap<>();
    sites.put("shared a.B.c:1", 4_000_000L);
    sites.put("direct a.B.d:2", 70L);
    Map<String, Object> agent =
        Map.of(
            "limit", 0L,
            "limitInUse", 4_000_070L,
            "limitHighest", 5_000_000L,
            "limitInUseByKind", Map.of("shared", 4_000_000L, "unsafe", 0L),
            "largestSites", sites);
    Status status = new Status(1, "count=on", Map.of(), null, agent, null, List.of());

    assertThat(status.text())
        .contains(
            "counted: 4,000,070 bytes in use, highest 5,000,000\n  shared 4,000,000\n",
            """
            Most is held by:
                    4,000,000  shared a.B.c:1
                           70  direct a.B.d:2
            """)
        .doesNotContain("limit:", "requests beyond");
  }

  @Test
  void whatIsLimitedHasALimit() {
    Map<String, Object> agent =
        Map.of(
            "limit", 9000L,
            "limitInUse", 90L,
            "limitHighest", 95L,
            "limitRefused", 2L,
            "limitInUseByKind", Map.of("shared", 90L));
    Status status = new Status(1, "limit=9000", Map.of(), null, agent, null, List.of());

    assertThat(status.text())
        .contains(
            "limit: 90 of 9,000 bytes in use, highest 95, requests beyond it: 2\n  shared 90\n")
        .doesNotContain("Most is held by");
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
