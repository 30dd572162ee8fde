package dev.rockpool.record;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas that are counted: the same results, and the right figures. */
class RecordedArenaTest {
  private record Way(String name, Function<Arena, MemorySegment> allocate, long alignment) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Way> ways() {
    MemorySegment source = MemorySegment.ofArray(new int[] {1, 2, 3});
    return Stream.of(
        new Way("byteSize", arena -> arena.allocate(13), 1),
        new Way("byteAlignment", arena -> arena.allocate(13, 64), 64),
        new Way("layout", arena -> arena.allocate(ValueLayout.JAVA_LONG), 8),
        new Way("layout count", arena -> arena.allocate(ValueLayout.JAVA_INT, 5), 4),
        new Way("string", arena -> arena.allocateFrom("hello"), 1),
        new Way("charset", arena -> arena.allocateFrom("hello", StandardCharsets.UTF_16LE), 1),
        new Way("byte", arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1), 1),
        new Way("char", arena -> arena.allocateFrom(ValueLayout.JAVA_CHAR, 'a'), 2),
        new Way("short", arena -> arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 1), 2),
        new Way("int", arena -> arena.allocateFrom(ValueLayout.JAVA_INT, 1), 4),
        new Way("float", arena -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f), 4),
        new Way("long", arena -> arena.allocateFrom(ValueLayout.JAVA_LONG, 1L), 8),
        new Way("double", arena -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1d), 8),
        new Way("address", arena -> arena.allocateFrom(ValueLayout.ADDRESS, MemorySegment.NULL), 8),
        new Way("bytes", arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[7]), 1),
        new Way("chars", arena -> arena.allocateFrom(ValueLayout.JAVA_CHAR, new char[7]), 2),
        new Way("shorts", arena -> arena.allocateFrom(ValueLayout.JAVA_SHORT, new short[7]), 2),
        new Way("ints", arena -> arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3), 4),
        new Way("floats", arena -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2), 4),
        new Way("longs", arena -> arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2), 8),
        new Way("doubles", arena -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2), 8),
        new Way(
            "elements",
            arena -> arena.allocateFrom(ValueLayout.JAVA_INT, source, ValueLayout.JAVA_INT, 4, 2),
            4),
        new Way("nothing", arena -> arena.allocate(0), 1),
        new Way("large", arena -> arena.allocate(100_000), 1),
        new Way(
            "struct",
            arena -> arena.allocate(MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_INT)),
            4));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachWayToAllocateGivesTheSameAndIsCounted(Way way) {
    for (boolean pooled : new boolean[] {true, false}) {
      int site = Sites.of("way " + way + pooled, SiteKind.CONFINED);
      byte[] bytes;
      try (Arena arena = pooled ? RecordedArena.ofPool(site) : RecordedArena.ofJdk(site)) {
        MemorySegment segment = way.allocate().apply(arena);
        bytes = segment.toArray(ValueLayout.JAVA_BYTE);
        assertThat(segment.scope()).isEqualTo(arena.scope());
        assertThat(segment.address() % way.alignment()).isZero();
      }
      try (Arena regular = Arena.ofConfined()) {
        assertThat(bytes).isEqualTo(way.allocate().apply(regular).toArray(ValueLayout.JAVA_BYTE));
      }
      Tally tally = only(site);
      assertThat(tally.arenas()).isEqualTo(1);
      assertThat(tally.allocations()).isEqualTo(1);
      assertThat(tally.bytes()).isEqualTo(bytes.length);
      assertThat(tally.most()).isEqualTo(bytes.length);
      assertThat(Shape.largest(tally.shape())).isEqualTo(Shape.bucket(bytes.length));
      assertThat(Shape.footprint(tally.shape()))
          .isEqualTo(Shape.footprintBucket((Math.max(bytes.length, 1) + 15) & -16));
      assertThat(1L << Shape.alignmentLog(tally.shape())).isEqualTo(way.alignment());
      assertThat(Shape.served(tally.shape()))
          .isEqualTo(!pooled ? Shape.JDK : bytes.length < 100_000 ? Shape.POOL : Shape.REGULAR);
    }
  }

  @Test
  void footprintHasTheSkipsOfAlignments(TestInfo test) {
    int site = Sites.of(test.getDisplayName(), SiteKind.CONFINED);
    try (Arena arena = RecordedArena.ofPool(site)) {
      arena.allocate(1);
      arena.allocate(10, 64);
      arena.allocate(0);
    }
    Tally tally = only(site);
    assertThat(Shape.footprintLower(Shape.footprint(tally.shape()))).isEqualTo(96);
    assertThat(Shape.lower(Shape.largest(tally.shape()))).isEqualTo(10);
    assertThat(tally.bytes()).isEqualTo(11);
    assertThat(tally.allocations()).isEqualTo(3);
  }

  @Test
  void misuseThrowsAsEverAndCountsNothing(TestInfo test) throws Exception {
    int site = Sites.of(test.getDisplayName(), SiteKind.CONFINED);
    Arena arena = RecordedArena.ofPool(site);
    assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.allocate(1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.allocateFrom((String) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> arena.allocate((MemoryLayout) null))
        .isInstanceOf(NullPointerException.class);
    Throwable[] thrown = new Throwable[2];
    Thread.ofPlatform()
        .start(
            () -> {
              thrown[0] = thrownBy(() -> arena.allocate(1));
              thrown[1] = thrownBy(arena::close);
            })
        .join();
    assertThat(thrown).hasOnlyElementsOfType(WrongThreadException.class);
    assertThat(tallies(site)).isEmpty();

    arena.close();
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalStateException.class);

    assertThat(only(site).arenas()).isEqualTo(1);
    assertThat(only(site).allocations()).isZero();
  }

  @Test
  @SuppressWarnings("restricted")
  void aCleanupActionThatThrowsOrClosesAgainIsCountedOnce(TestInfo test) {
    int site = Sites.of(test.getDisplayName(), SiteKind.CONFINED);
    Arena arena = RecordedArena.ofPool(site);
    arena
        .allocate(8)
        .reinterpret(
            arena,
            segment -> {
              arena.close();
            });
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);

    assertThat(arena.scope().isAlive()).isFalse();
    assertThat(only(site).arenas()).isEqualTo(1);
  }

  @Test
  void depthIsThatOfTheThread(TestInfo test) throws Exception {
    int site = Sites.of(test.getDisplayName(), SiteKind.CONFINED);
    Runnable nested =
        () -> {
          try (Arena outer = RecordedArena.ofPool(site);
              Arena middle = RecordedArena.ofJdk(site);
              Arena inner = RecordedArena.ofPool(site)) {
            outer.allocate(1);
            middle.allocate(1);
            inner.allocate(1);
          }
        };
    Thread.ofPlatform().start(nested).join();
    Thread.ofVirtual().start(nested).join();

    assertThat(tallies(site))
        .extracting(tally -> Shape.isVirtual(tally.shape()), tally -> Shape.depth(tally.shape()))
        .containsExactlyInAnyOrder(
            tuple(false, 0),
            tuple(false, 1),
            tuple(false, 2),
            tuple(true, 0),
            tuple(true, 1),
            tuple(true, 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {3_000, 10_000, 1_000_000})
  void largeArenasCountAsOpen(int byteSize) throws Exception {
    int large = Sites.of("large " + byteSize, SiteKind.CONFINED);
    int small = Sites.of("beside large " + byteSize, SiteKind.CONFINED);
    int[] open = new int[2];
    onThreadWithBlocks(
        () -> {
          List<Arena> kept = new ArrayList<>();
          for (int i = 0; i < 7; i++) {
            kept.add(RecordedArena.ofPool(large));
            kept.getLast().allocate(byteSize);
            kept.getLast().allocate(8);
          }
          open(small, 1);
          open[0] = openOnThread();
          Collections.shuffle(kept, new Random(1));
          kept.forEach(Arena::close);
          open[1] = openOnThread();
        });

    assertThat(open).containsExactly(7, 0);
    assertThat(Shape.depth(only(small).shape())).isEqualTo(7);
    assertThat(Shape.served(only(small).shape())).isEqualTo(Shape.POOL);
  }

  private static void onThreadWithBlocks(Runnable program) throws InterruptedException {
    int first = Sites.of("first of a thread", SiteKind.CONFINED);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((ended, failure) -> thrown.set(failure))
            .start(
                () -> {
                  open(first, 1);
                  program.run();
                });
    thread.join();
    assertThat(thrown.get()).isNull();
  }

  private static int openOnThread() {
    return requireNonNull(Recorder.SHARED.talliesOf(Thread.currentThread())).open;
  }

  @Test
  void arenasBeyondTheDeepestAreCountedTogetherAndExactly(TestInfo test) {
    int site = Sites.of(test.getDisplayName(), SiteKind.CONFINED);
    open(site, Shape.DEEPEST + 5); // depths 0 to 19

    assertThat(tallies(site))
        .filteredOn(tally -> Shape.depth(tally.shape()) == Shape.DEEPEST)
        .singleElement()
        .extracting(Tally::arenas)
        .isEqualTo(5L);
    assertThat(tallies(site)).hasSize(Shape.DEEPEST + 1);
    assertThat(new Recorder.BySite().read(Recorder.SHARED, site + 1).live(site)).isZero();
  }

  private static void open(int site, int arenas) {
    if (arenas == 0) {
      return;
    }
    try (Arena arena = RecordedArena.ofPool(site)) {
      arena.allocate(8);
      open(site, arenas - 1);
    }
  }

  private static Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }

  private static Tally only(int site) {
    List<Tally> tallies = tallies(site);
    assertThat(tallies).hasSize(1);
    return tallies.getFirst();
  }

  private static List<Tally> tallies(int site) {
    return Recorder.SHARED.read().values().stream()
        .filter(tally -> Shape.site(tally.shape()) == site)
        .toList();
  }
}
