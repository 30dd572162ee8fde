package dev.rockpool.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.top.Frame.Pool;
import dev.rockpool.cli.top.Frame.Sort;
import dev.rockpool.cli.top.LiveFigures.LiveSite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameTest {
  private static final Frame FRAME =
      new Frame(
          null,
          "",
          List.of(),
          List.of(
              new LiveSite("confined a.Few", 9, 90, 1, 20_000),
              new LiveSite("confined a.Many", 0, 0, 5000, 40),
              new LiveSite("direct com.acme.store.Cache.load:42", 7, 7 << 20, 0, 0),
              new LiveSite("confined a.New", 1, 10, -1, -1),
              new LiveSite("confined a.Half", 1, 30, 10, 30)));

  @ParameterizedTest
  @CsvSource({
    "l, Cache Few Half New Many",
    "r, Many Half Few Cache New",
    "B, Few Many Half Cache New",
    "n, Few Half Many New Cache"
  })
  void aKeySortsSites(char key, String order) {
    List<String> names =
        FRAME
            .text(Sort.NAME.after(key), 200)
            .lines()
            .skip(4)
            .map(line -> line.replaceFirst(".*?(Few|Many|Cache|Half|New).*", "$1"))
            .toList();

    assertThat(names).containsExactly(order.split(" "));
  }

  @Test
  void namesAreCutWhereTheTerminalIsNarrow() {
    assertThat(FRAME.text(Sort.LIVE, 200))
        .contains("direct com.acme.store.Cache.load:42", " 7.0 Mi      7          0         0\n");
    assertThat(FRAME.text(Sort.LIVE, 62).lines().skip(2))
        .allMatch(line -> line.length() <= 62)
        .anyMatch(line -> line.startsWith("direct ..ache.load:42 "));
    assertThat(FRAME.text(Sort.LIVE, 10)).contains("direct ..che.load:42 ");
  }

  /** Option count knows neither how many are open, nor rates. */
  @Test
  void ofSitesThatAreCountedOnlyBytesAreKnown() {
    Frame frame =
        new Frame(
            null,
            "counted: 90 bytes in use, highest 90\n",
            List.of(),
            List.of(new LiveSite("shared a.Held", -1, 90, -1, -1)));

    assertThat(frame.text(Sort.LIVE, 200))
        .contains("counted: 90 bytes in use, highest 90\n")
        .containsPattern("shared a.Held +90 +- +- +-\\s");
  }

  @Test
  void ratesOfANewSiteAreUnknown() {
    assertThat(FRAME.text(Sort.LIVE, 200)).containsPattern("confined a.New +10 +1 +- +-\\s");
  }

  @Test
  void ratesAreThoseOfTheTimeBetween() {
    Pool pool =
        new Pool(
            Map.of(
                "state",
                "ON",
                "arenasClosed",
                3000L,
                "blocksAllocated",
                1500L,
                "allocationsByJdk",
                1000L,
                "threads",
                2),
            Map.of("arenasClosed", 1000L, "blocksAllocated", 500L),
            0.5);

    assertThat(pool.text())
        .isEqualTo(
            "pool ON: 4,000 arenas/s, 50.0 % with a new block, 2,000 allocations/s by the JDK;"
                + " bytes kept: 0; threads: 2\n");
  }

  /** As while all arenas are open. */
  @Test
  void newBlocksAreNoShareOfNoArena() {
    Pool pool = new Pool(Map.of("state", "ON", "blocksAllocated", 7L, "threads", 2), Map.of(), 0.5);

    assertThat(pool.text()).isEqualTo("pool ON: 0 arenas/s; bytes kept: 0; threads: 2\n");
  }

  @Test
  void ratesOfANewPoolAreUnknown() {
    Pool pool = new Pool(Map.of("state", "ON", "arenasClosed", 3000L, "threads", 2), null, 0.5);

    assertThat(pool.text()).isEqualTo("pool ON: - arenas/s; bytes kept: 0; threads: 2\n");
  }
}
