package dev.rockpool.record;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.Recorder.BySite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
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

  /** The program's own FileChannel may accept null for an arena, and its own Arena may throw. */
  @Test
  void aFileMappedInAnArenaThatIsNoneIsNotCounted() {
    int mapped = Sites.of("test.SiteTest.map:1", SiteKind.MAPPED);
    Holding.ofMapped(MemorySegment.NULL, null, mapped);
    Holding.ofMapped(MemorySegment.NULL, new Refusing(), mapped);
    assertThat(live(Recorder.create(), mapped)).containsExactly(0L, 0L, 0L);
  }

  private static final class Refusing implements Arena {
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MemorySegment.Scope scope() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  /** One confined arena in many has a holding; the others count like that one. */
  @Test
  void allocationsOfConfinedArenasAreThoseOfAllThatAreLive() {
    int confined = Sites.of("test.SiteTest.confined:1", SiteKind.CONFINED);
    Recorder recorder = Recorder.create();
    ThreadSite at = requireNonNull(recorder.threadSite(confined, Thread.currentThread(), false));
    at.opened += 1000;
    Holding.Closer closer = Holding.ofClosed(confined);
    closer.holding.holds(24, 3);
    assertThat(live(recorder, confined)).containsExactly(1000L, 24_000L, 3000L);

    // Closed ones tell more than the one that is known: 2 allocations of 10 bytes in each.
    long shape = Shape.of(confined, false, Shape.JDK, 0, 20, 32, 10, 1);
    for (int arenas = 0; arenas < 400; arenas++) {
      recorder.closed(at, false, shape, 2, 20);
    }
    assertThat(live(recorder, confined)).containsExactly(600L, 24L + 599 * 20, 800L + 3 + 599 * 2);
    Reference.reachabilityFence(closer);
  }

  /** The stack is taken when a holding is made. */
  @Test
  void aLifeBeginsAtTheOpening() {
    Holding.Closer closer = new Holding.Closer(site);
    long made = System.nanoTime();
    closer.holding.opened();
    assertThat(closer.holding.openedNanos - made).isNotNegative();
    closer.holding.closed(0);
  }

  private static List<Long> live(Recorder recorder, int number) {
    Site.Counts counts =
        Sites.SHARED.get(number).counts(new BySite().read(recorder, number + 1), number);
    return List.of(counts.live, counts.liveBytes, counts.allocations);
  }

  private long growing() {
    site.look(none, number);
    return site.counts(none, number).growing;
  }
}
