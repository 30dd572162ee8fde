package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.Callers.Stack;
import dev.rockpool.record.HolderEvents.HolderSiteEvent;
import dev.rockpool.record.HolderEvents.HolderStackEvent;
import dev.rockpool.record.HolderEvents.NativeMemoryEvent;
import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordedSiteTest {
  private String name;

  @BeforeEach
  void newName(TestInfo test) {
    name = "SiteTest " + test.getDisplayName();
  }

  private int number(Kind kind) {
    return Site.find(name, kind).number;
  }

  private RecordedSite site(Kind kind) {
    return RecordedSite.get(number(kind));
  }

  private NativeMemoryEvent figures(Kind kind) {
    Map<Kind, NativeMemoryEvent> kinds = new EnumMap<>(Kind.class);
    site(kind).addTo(kinds, Recorder.read());
    return kinds.getOrDefault(kind, new NativeMemoryEvent(kind));
  }

  private long growing(Kind kind, boolean hasCollected) {
    site(kind).look(Recorder.read(), hasCollected, System.nanoTime());
    return site(kind).countsNow(Recorder.read()).growing;
  }

  /** A look comes each second; seconds without a change do not count, nor do small falls. */
  @Test
  void growthIsCountedUntilLiveBytesFallHalfTheWay() {
    try (Arena kept = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
      for (int second = 1; second <= 3; second++) {
        kept.allocate(100);
        assertThat(growing(Kind.SHARED, false)).isEqualTo(second);
      }
      assertThat(growing(Kind.SHARED, false)).isEqualTo(3);
      try (Arena brief = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
        brief.allocate(100);
        assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
      }
      assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
    }
    assertThat(growing(Kind.SHARED, false)).isZero();
  }

  /** As a cache that is filled at the start. */
  @Test
  void whatNoLongerGrowsDoesNotGrow() {
    try (Arena kept = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
      for (int second = 1; second <= 4; second++) {
        kept.allocate(100);
        assertThat(growing(Kind.SHARED, false)).isEqualTo(second);
      }
      assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
      assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
      assertThat(growing(Kind.SHARED, false)).isZero();
      kept.allocate(100);
      assertThat(growing(Kind.SHARED, false)).isEqualTo(5);
    }
  }

  @Test
  void onlyWhatOutlivedACollectionGrows() {
    List<Object> kept = new ArrayList<>();
    for (int second = 1; second <= 3; second++) {
      long collection = System.nanoTime();
      kept.add(ByteBuffer.allocateDirect(1000));
      Holding.ofBuffer((ByteBuffer) kept.getLast(), number(Kind.DIRECT));
      site(Kind.DIRECT).look(Recorder.read(), true, collection);
      assertThat(site(Kind.DIRECT).countsNow(Recorder.read()).growing).isEqualTo(second - 1);
    }
    assertThat(figures(Kind.DIRECT).live).isEqualTo(kept.size());
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTOMATIC", "DIRECT", "MAPPED"})
  void memoryThatACollectionFreesDoesNotGrowBeforeOneHasRun(Kind kind) {
    List<Object> kept = new ArrayList<>();
    for (int second = 0; second < 3; second++) {
      Object opened = ByteBuffer.allocateDirect(1000);
      if (kind == Kind.AUTOMATIC) {
        opened = HoldingArena.of(Arena.ofAuto(), number(kind));
        ((Arena) opened).allocate(1000);
      } else {
        Holding.ofBuffer((ByteBuffer) opened, number(kind));
      }
      kept.add(opened);
      assertThat(growing(kind, false)).isZero();
    }
    assertThat(growing(kind, true)).isEqualTo(1);
    assertThat(figures(kind).live).isEqualTo(kept.size());
  }

  @Test
  void aBufferIsFreedWhoeverFreesIt() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      buffers.add(ByteBuffer.allocateDirect(1000));
      Holding.ofBuffer(buffers.getLast(), number(Kind.DIRECT));
    }
    Holding.freed(buffers.get(1).position(10));
    Holding.freed(buffers.get(1));
    Holding.freed(ByteBuffer.allocateDirect(1));
    Holding.freed(MemorySegment.ofBuffer(buffers.get(2)).address());
    assertThat(figures(Kind.DIRECT).live).isEqualTo(2);
    assertThat(figures(Kind.DIRECT).liveBytes).isEqualTo(2000);

    Holding.ofBuffer(buffers.get(3), number(Kind.DIRECT)); // its address is in use again
    assertThat(figures(Kind.DIRECT).live).isEqualTo(2);
    assertThat(figures(Kind.DIRECT).opened).isEqualTo(5);
    assertThat(RecordedSite.mostLiveBytes(Kind.DIRECT)).isGreaterThanOrEqualTo(4000);
  }

  private Holding opened(@Nullable HolderStackEvent stack) {
    return new Holding(null, site(Kind.SHARED), true, true, stack).opened();
  }

  private HolderSiteEvent sums() {
    return site(Kind.SHARED).countsNow(Recorder.read());
  }

  /** Nobody has to close what holds nothing; what holds bytes and is lost is a leak, once. */
  @Test
  void aConfinedArenaWithoutMemoryIsNoLeak() {
    Holding empty = new Holding(null, site(Kind.CONFINED), true, true).opened();
    Holding used = new Holding(null, site(Kind.CONFINED), true, true).opened();
    used.allocated(100);
    empty.unreachable();
    used.unreachable();
    used.unreachable();
    used.allocated(7); // too late

    HolderSiteEvent sums = site(Kind.CONFINED).countsNow(Recorder.read());
    assertThat(sums.leaked).isEqualTo(1);
    assertThat(sums.leakedBytes).isEqualTo(100);
    assertThat(sums.closed).isZero();
  }

  @Test
  void theMostLiveAreThoseOfAnyTime() {
    List<Holding> three = List.of(opened(null), opened(null), opened(null));
    three.get(0).closed(0);
    three.get(1).closed(0);
    opened(null);

    assertThat(sums().live).isEqualTo(2);
    assertThat(sums().mostLive).isEqualTo(3);
  }

  @Test
  void closesTakeTheSumAndTheLongestIsOne() {
    for (long nanos : new long[] {5, 9, 2}) {
      opened(null).closed(nanos);
    }

    assertThat(sums().closeTime).isEqualTo(16);
    assertThat(sums().longestClose).isEqualTo(9);
  }

  @Test
  void livesHaveAMedianAndALongestAndTheOldestIsOpen() {
    for (int hours : new int[] {9, 1, 2, 8, 3}) {
      opened(hours).closed(0);
    }
    opened(6);
    opened(4);

    assertThat(sums().lifeMedian).isBetween(hours(3), hours(4));
    assertThat(sums().longestLife).isBetween(hours(9), hours(10));
    assertThat(sums().oldest).isBetween(hours(6), hours(7));
  }

  /** Some hours ago. */
  private Holding opened(int hours) {
    Holding holding = opened(null);
    holding.openedNanos -= hours(hours);
    return holding;
  }

  private static long hours(int hours) {
    return TimeUnit.HOURS.toNanos(hours);
  }

  @Test
  void whatOtherThreadsUseOrCloseCountsOnce() throws InterruptedException {
    opened(null).closed(0);
    Holding used = opened(null);
    Holding closed = opened(null);
    Thread.ofPlatform()
        .start(
            () -> {
              used.allocated(10);
              used.allocated(10);
              used.closed(0);
              closed.closed(0);
            })
        .join();

    assertThat(sums().closed).isEqualTo(3);
    assertThat(sums().byOthers).isEqualTo(2);
  }

  @Test
  void stacksHaveWhatIsLiveOfTheirs() {
    RecordedSite site = site(Kind.SHARED);
    HolderStackEvent one = site.countsOf(new Stack("one", false));
    HolderStackEvent other = site.countsOf(new Stack("other", false));
    opened(one).closed(0);
    Holding open = opened(one);
    open.allocated(10);
    Holding leaked = opened(one);
    leaked.allocated(200);
    leaked.unreachable();
    opened(other).allocated(3000);

    site.writeStacks();

    assertThat(one)
        .extracting("opened", "live", "liveBytes", "leaked")
        .containsExactly(3L, 2L, 210L, 1L);
    assertThat(other)
        .extracting("opened", "live", "liveBytes", "leaked")
        .containsExactly(1L, 1L, 3000L, 0L);
  }

  /** A library opens on many ways, and the stacks of a leak may come last. */
  @Test
  void aStackThatHoldsNothingGivesWay() {
    RecordedSite site = site(Kind.SHARED);
    List<HolderStackEvent> first = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      first.add(site.countsOf(new Stack("stack " + i, false)));
      Holding holding = opened(first.get(i));
      if (i == 5) {
        holding.closed(0);
      }
    }

    HolderStackEvent ninth = site.countsOf(new Stack("leak", false));
    opened(ninth);

    assertThat(ninth).isNotNull();
    assertThat(site.countsOf(new Stack("stack 4", false))).isSameAs(first.get(4));
    assertThat(site.countsOf(new Stack("stack 5", false))).isNull();
  }

  @Test
  void theMostBytesAreThoseOfAnyTime() {
    assertThat(largest(100_000, 70_000, 40, 30)).isEqualTo(100_000);
    try (Arena first = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED));
        Arena second = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
      first.allocate(500);
      second.allocate(300);
    }
    HoldingArena.of(Arena.ofShared(), number(Kind.SHARED)).close();
    assertThat(site(Kind.SHARED).countsNow(Recorder.read()).mostLiveBytes).isEqualTo(800);
    assertThat(site(Kind.SHARED).countsNow(Recorder.read()).largest).isEqualTo(500);
  }

  private long largest(long... sizes) {
    for (long size : sizes) {
      try (Arena arena = RecordedArena.ofJdk(number(Kind.CONFINED))) {
        arena.allocate(size);
      }
    }
    return Recorder.read().ofSite(number(Kind.CONFINED)).largest();
  }

  /** The events of a recorder's second run have nothing of the first. */
  @Test
  void sumsMayStartAnew() {
    HoldingArena.of(Arena.ofShared(), number(Kind.SHARED)).allocate(10);
    Arena open = RecordedArena.ofJdk(number(Kind.CONFINED));
    largest(8);
    int before = number(Kind.CONFINED);

    Recorder.startAnew();
    RecordedSite.startAnew();

    open.close();
    assertThat(number(Kind.CONFINED)).isEqualTo(before);
    assertThat(figures(Kind.SHARED).opened).isZero();
    assertThat(figures(Kind.CONFINED).opened).isZero();
    largest(8);
    assertThat(figures(Kind.CONFINED).opened).isEqualTo(1);
    assertThat(figures(Kind.CONFINED).live).isZero();
  }
}
