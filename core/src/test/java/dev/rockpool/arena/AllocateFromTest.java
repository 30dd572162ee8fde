package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Values, arrays and copies of segments: the bytes and the exceptions of the JDK. */
@SuppressWarnings("restricted")
class AllocateFromTest extends ArenaContract {
  private static final ByteOrder SWAPPED =
      ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
          ? ByteOrder.LITTLE_ENDIAN
          : ByteOrder.BIG_ENDIAN;

  /**
   * {@code layout} as it is, in the other byte order, unaligned, and more aligned than it needs.
   */
  private static <L extends ValueLayout> List<L> variants(L layout, Class<L> type) {
    List<ValueLayout> variants = new ArrayList<>(List.of(layout, layout.withOrder(SWAPPED)));
    for (long alignment = 1; alignment <= 4096; alignment *= 4) {
      variants.add(layout.withByteAlignment(alignment));
      variants.add(layout.withByteAlignment(alignment).withOrder(SWAPPED));
    }
    variants.add(layout.withName("named"));
    return variants.stream().map(type::cast).toList();
  }

  /** Compares {@code use} with the JDK's, for each variant of {@code layout}. */
  private <L extends ValueLayout> void assertSameForAll(
      L layout, Class<L> type, Function<L, Use> use) {
    for (L variant : variants(layout, type)) {
      String what = variant + " aligned to " + variant.byteAlignment() + ", " + variant.order();
      assertSameAsJdk(what, use.apply(variant));
    }
  }

  @Test
  void eachTypeOfValueIsWrittenAsTheJdkDoes() {
    assertSameForAll(JAVA_BYTE, ValueLayout.OfByte.class, l -> a -> a.allocateFrom(l, (byte) -2));
    assertSameForAll(JAVA_CHAR, ValueLayout.OfChar.class, l -> a -> a.allocateFrom(l, '\u1234'));
    assertSameForAll(
        JAVA_SHORT, ValueLayout.OfShort.class, l -> a -> a.allocateFrom(l, (short) 0x1234));
    assertSameForAll(JAVA_INT, ValueLayout.OfInt.class, l -> a -> a.allocateFrom(l, 0x12345678));
    assertSameForAll(JAVA_FLOAT, ValueLayout.OfFloat.class, l -> a -> a.allocateFrom(l, 1.5e10f));
    assertSameForAll(
        JAVA_LONG, ValueLayout.OfLong.class, l -> a -> a.allocateFrom(l, 0x123456789abcdef0L));
    assertSameForAll(JAVA_DOUBLE, ValueLayout.OfDouble.class, l -> a -> a.allocateFrom(l, -1e300));
    assertSameForAll(
        ADDRESS,
        AddressLayout.class,
        l -> a -> a.allocateFrom(l, MemorySegment.ofAddress(0x123456789abcL)));
  }

  @Test
  void eachTypeOfArrayIsWrittenAsTheJdkDoes() {
    for (int count : new int[] {0, 1, 3}) {
      long[] longs = new Random(count).longs(count).toArray();
      MemorySegment random = MemorySegment.ofArray(longs);
      byte[] bytes = random.toArray(JAVA_BYTE);
      char[] chars = random.toArray(JAVA_CHAR);
      short[] shorts = random.toArray(JAVA_SHORT);
      int[] ints = random.toArray(JAVA_INT);
      float[] floats = random.toArray(JAVA_FLOAT);
      double[] doubles = random.toArray(JAVA_DOUBLE);
      assertSameForAll(JAVA_BYTE, ValueLayout.OfByte.class, l -> a -> a.allocateFrom(l, bytes));
      assertSameForAll(JAVA_CHAR, ValueLayout.OfChar.class, l -> a -> a.allocateFrom(l, chars));
      assertSameForAll(JAVA_SHORT, ValueLayout.OfShort.class, l -> a -> a.allocateFrom(l, shorts));
      assertSameForAll(JAVA_INT, ValueLayout.OfInt.class, l -> a -> a.allocateFrom(l, ints));
      assertSameForAll(JAVA_FLOAT, ValueLayout.OfFloat.class, l -> a -> a.allocateFrom(l, floats));
      assertSameForAll(JAVA_LONG, ValueLayout.OfLong.class, l -> a -> a.allocateFrom(l, longs));
      assertSameForAll(
          JAVA_DOUBLE, ValueLayout.OfDouble.class, l -> a -> a.allocateFrom(l, doubles));
    }
  }

  @Test
  void arraysThatEndAroundTheEndOfTheBlockAreThoseOfTheJdk() {
    for (int byteSize = blockByteSize() - 34; byteSize <= blockByteSize() + 2; byteSize++) {
      byte[] bytes = new byte[byteSize];
      new Random(byteSize).nextBytes(bytes);
      assertSameAsJdk(byteSize + " bytes", arena -> arena.allocateFrom(JAVA_BYTE, bytes));
      long[] longs = new long[byteSize / Long.BYTES];
      assertSameAsJdk(longs.length + " longs", arena -> arena.allocateFrom(JAVA_LONG, longs));
    }
  }

  @Test
  void addressesOfHeapMemoryAreRefusedInTheWordsOfTheJdk() {
    MemorySegment heap = MemorySegment.ofArray(new byte[8]);
    assertSameAsJdk("heap", arena -> arena.allocateFrom(ADDRESS, heap));
    assertSameAsJdk("NULL", arena -> arena.allocateFrom(ADDRESS, MemorySegment.NULL));
    try (Arena other = open()) {
      MemorySegment target = other.allocateFrom("target");
      assertSameAsJdk(
          "address",
          arena ->
              arena
                  .allocateFrom(ADDRESS, target)
                  .get(ADDRESS.withTargetLayout(JAVA_SHORT), 0)
                  .equals(target.asSlice(0, 2)));
      assertSameAsJdk(
          "address of another arena", arena -> arena.allocateFrom(ADDRESS, target).byteSize());
    }
  }

  @Test
  void copyTakesAnyPartOfItsSource() {
    MemorySegment source = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    for (long offset : new long[] {-1, 0, 1, 4, 7, 8, 9, Long.MAX_VALUE}) {
      for (long count :
          new long[] {0, 1, 4, 8, 9, -1, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertSameAsJdk(
            count + " bytes at " + offset,
            arena -> arena.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, offset, count));
      }
      for (long count : new long[] {1L << 61, (1L << 61) + 1, 3L << 61, (1L << 32) + 1}) {
        assertSameAsJdk(
            count + " longs, which overflows",
            arena -> arena.allocateFrom(JAVA_LONG, source, JAVA_LONG, 0, count));
      }
    }
  }

  @Test
  void layoutsThatDoNotMatchThrowWhatTheJdkThrows() {
    MemorySegment source = MemorySegment.ofArray(new long[4]);
    List<ValueLayout> layouts =
        List.of(
            JAVA_BYTE,
            JAVA_INT,
            JAVA_LONG,
            ValueLayout.JAVA_LONG_UNALIGNED,
            JAVA_LONG.withByteAlignment(32),
            JAVA_BYTE.withByteAlignment(2),
            JAVA_INT.withByteAlignment(1 << 12));
    for (ValueLayout to : layouts) {
      for (ValueLayout from : layouts) {
        for (long offset : new long[] {0, 4, 5}) {
          assertSameAsJdk(
              from + " at " + offset + " to " + to,
              arena -> arena.allocateFrom(to, source, from, offset, 2));
        }
      }
    }
  }

  @Test
  void sourceMayBeAnyMemoryThatMayBeRead() throws Exception {
    try (Arena confined = open();
        Arena shared = Arena.ofShared()) {
      for (Arena owner : List.of(confined, shared, Arena.ofAuto())) {
        MemorySegment source = owner.allocateFrom("some source").asReadOnly();
        assertSameAsJdk("native", arena -> arena.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 5, 6));
      }
    }
    assertSameAsJdk(
        "itself",
        arena -> {
          MemorySegment source = arena.allocateFrom("some source");
          return arena.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 0, 12).getString(5);
        });
    Arena closed = open();
    MemorySegment stale = closed.allocate(8);
    closed.close();
    assertSameAsJdk("closed", arena -> arena.allocateFrom(JAVA_BYTE, stale, JAVA_BYTE, 0, 8));
    MemorySegment foreign = ThreadKind.PLATFORM.call(() -> Arena.ofConfined().allocate(8));
    assertSameAsJdk("foreign", arena -> arena.allocateFrom(JAVA_BYTE, foreign, JAVA_BYTE, 0, 8));
  }

  @Test
  void failedCopyLeavesNothingBehind() {
    try (Arena arena = open()) {
      MemorySegment source = MemorySegment.ofArray(new byte[] {1, 2, 3});
      assertThat(Outcome.of(() -> arena.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 0, 4)))
          .contains("IndexOutOfBoundsException");
      assertZero(arena.allocate(16));
    }
  }
}
