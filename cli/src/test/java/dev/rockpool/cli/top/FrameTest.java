package dev.rockpool.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.top.Frame.Pool;
import dev.rockpool.cli.top.Frame.Sort;
import dev.rockpool.cli.top.Source.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameTest {
  private static final Frame FRAME =
      new Frame(
          null,
          List.of(),
          List.of(
              new Site("Few", 1, 20_000, 0, 0),
              new Site("Many", 5000, 40, 1, 0),
              new Site("Half", 10, 30, 0.5, 0)));

  @ParameterizedTest
  @CsvSource({"a, Many Half Few", "B, Few Many Half", "p, Few Half Many", "n, Few Half Many"})
  void aKeySortsSites(char key, String order) {
    List<String> names =
        FRAME.text(Sort.NAME.after(key)).lines().skip(4).map(line -> line.split(" ")[0]).toList();

    assertThat(names).containsExactly(order.split(" "));
  }

  @Test
  void otherKeysChangeNothing() {
    assertThat(Sort.BYTES.after('x')).isEqualTo(Sort.BYTES);
  }

  @Test
  void ratesAreThoseOfTheTimeBetween() {
    Pool pool =
        new Pool(
            Map.of("state", "ON", "arenasClosed", 3000L, "servedFromSlab", 1500L, "threads", 2),
            Map.of("arenasClosed", 1000L, "servedFromSlab", 500L),
            0.5);

    assertThat(pool.text())
        .isEqualTo(
            "pool ON: 4,000 arenas/s, 50.0 % served, 0.0 % too large, 0.0 % no slab left,"
                + " 0.0 % first; bytes held: 0; threads: 2\n");
  }
}
