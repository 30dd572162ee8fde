package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.Recorder.BySite;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class SiteTest {
  private final int number = Sites.of("test.SiteTest.open:1", SiteKind.SHARED);
  private final Site site = Sites.SHARED.get(number);
  private final BySite none = new BySite().read(Recorder.create(), number + 1);

  /** A look comes each second; seconds without a change do not count. */
  @Test
  void growthIsCountedUntilLiveBytesFall() {
    try (Arena kept = HoldingArena.of(Arena.ofShared(), number)) {
      for (int second = 1; second <= 3; second++) {
        kept.allocate(100);
        assertThat(growing()).isEqualTo(second);
      }
      assertThat(growing()).isEqualTo(3);
      try (Arena brief = HoldingArena.of(Arena.ofShared(), number)) {
        brief.allocate(100);
        assertThat(growing()).isEqualTo(4);
      }
      assertThat(growing()).isEqualTo(0);
    }
  }

  private long growing() {
    site.look(none, number);
    return site.counts(none, number).growing;
  }
}
