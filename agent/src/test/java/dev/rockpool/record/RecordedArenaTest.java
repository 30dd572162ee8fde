package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  private final int site =
      Site.find("RecordedArenaTest " + System.nanoTime(), Kind.CONFINED).number;

  private SiteCounts read() {
    return Recorder.read().ofSite(site);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachWayToAllocateGivesTheSameAndIsCounted(Way way) {
    long sum = 0;
    for (boolean pooled : new boolean[] {true, false}) {
      byte[] bytes;
      try (Arena arena = pooled ? RecordedArena.ofPool(site) : RecordedArena.ofJdk(site)) {
        MemorySegment segment = way.allocate().apply(arena);
        bytes = segment.toArray(ValueLayout.JAVA_BYTE);
        assertThat(segment.scope()).isEqualTo(arena.scope());
        assertThat(segment.address() % way.alignment()).isZero();
        assertThat(read().liveBytes()).isEqualTo(bytes.length);
      }
      try (Arena regular = Arena.ofConfined()) {
        assertThat(bytes).isEqualTo(way.allocate().apply(regular).toArray(ValueLayout.JAVA_BYTE));
      }
      sum += bytes.length;
      assertThat(read().largest()).isEqualTo(bytes.length);
    }
    assertThat(read().closed()).isEqualTo(2);
    assertThat(read().allocations).isEqualTo(2);
    assertThat(read().empty).isZero();
    assertThat(read().closedBytes()).isEqualTo(sum);
    assertThat(read().live()).isZero();
  }

  @Test
  void misuseThrowsAsEverAndCountsNothing() throws Exception {
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
    assertThat(read().bytes).isZero();
    assertThat(read().closed()).isZero();

    arena.close();
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalStateException.class);

    assertThat(read().closed()).isEqualTo(1);
    assertThat(read().empty).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("restricted")
  void aCleanupActionThatThrowsOrClosesAgainIsCountedOnce() {
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
    assertThat(read().closed()).isEqualTo(1);
  }

  private static Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }
}
