package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Values, arrays, strings and copies of segments: the bytes and the exceptions of the JDK. */
@SuppressWarnings("restricted")
class AllocateFromTest extends ArenaContract {
  private static final MemorySegment SOURCE =
      MemorySegment.ofArray(new Random(1).longs(4).toArray());

  /** Each form for a value or an array of {@code count} elements, with a variant of its layout. */
  private static Use[] forms(int count, UnaryOperator<ValueLayout> variant) {
    ValueLayout.OfByte bytes = (ValueLayout.OfByte) variant.apply(JAVA_BYTE);
    ValueLayout.OfChar chars = (ValueLayout.OfChar) variant.apply(JAVA_CHAR);
    ValueLayout.OfShort shorts = (ValueLayout.OfShort) variant.apply(JAVA_SHORT);
    ValueLayout.OfInt ints = (ValueLayout.OfInt) variant.apply(JAVA_INT);
    ValueLayout.OfFloat floats = (ValueLayout.OfFloat) variant.apply(JAVA_FLOAT);
    ValueLayout.OfLong longs = (ValueLayout.OfLong) variant.apply(JAVA_LONG);
    ValueLayout.OfDouble doubles = (ValueLayout.OfDouble) variant.apply(JAVA_DOUBLE);
    AddressLayout addresses = (AddressLayout) variant.apply(ADDRESS);
    MemorySegment source = SOURCE.asSlice(0, count * 8L);
    return new Use[] {
      a -> a.allocateFrom(bytes, (byte) -2),
      a -> a.allocateFrom(chars, '\u1234'),
      a -> a.allocateFrom(shorts, (short) 0x1234),
      a -> a.allocateFrom(ints, 0x12345678),
      a -> a.allocateFrom(floats, 1.5e10f),
      a -> a.allocateFrom(longs, 0x123456789abcdef0L),
      a -> a.allocateFrom(doubles, -1e300),
      a -> a.allocateFrom(addresses, MemorySegment.ofAddress(0x123456789abcL)),
      a -> a.allocateFrom(bytes, source.toArray(JAVA_BYTE)),
      a -> a.allocateFrom(ints, source.toArray(JAVA_INT)),
      a -> a.allocateFrom(longs, source.toArray(JAVA_LONG)),
      a -> a.allocateFrom(doubles, source.toArray(JAVA_DOUBLE))
    };
  }

  @Test
  void eachFormWritesWhatTheJdkWrites() {
    for (int count : new int[] {0, 1, 3}) {
      assertEachSameAsJdk("named", forms(count, layout -> layout.withName("named")));
      for (long alignment : new long[] {1, 8, 16, 64, 4096}) {
        String what = count + " elements aligned to " + alignment;
        assertEachSameAsJdk(what, forms(count, layout -> layout.withByteAlignment(alignment)));
      }
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        assertEachSameAsJdk(order.toString(), forms(count, layout -> layout.withOrder(order)));
      }
    }
  }

  @Test
  void whatEndsAroundTheEndOfTheBlockIsThatOfTheJdk() {
    for (int size = blockByteSize() - 34; size <= blockByteSize() + 2; size++) {
      byte[] bytes = new byte[size];
      new Random(size).nextBytes(bytes);
      long[] longs = new long[size / Long.BYTES];
      String text = "x".repeat(size - 1);
      String beyondLatin1 = "é字😀".repeat(size / 9);
      assertEachSameAsJdk(
          size + " bytes",
          a -> a.allocateFrom(JAVA_BYTE, bytes),
          a -> a.allocateFrom(JAVA_LONG, longs),
          a -> a.allocateFrom(text),
          a -> a.allocateFrom(beyondLatin1));
    }
  }

  @Test
  void stringsAreThoseOfTheJdkInAnyCharset() {
    for (String name : List.of("UTF-8", "US-ASCII", "UTF-16", "UTF-32BE", "windows-1252")) {
      Charset charset = Charset.forName(name); // the JDK refuses the last one
      for (String text : List.of("", "hello", "naïve 😀", "cut\0short", "\ud83d alone")) {
        assertSameAsJdk(name + " " + text, arena -> arena.allocateFrom(text, charset));
      }
    }
  }

  @Test
  void copyTakesAnyPartOfItsSource() {
    for (long offset : new long[] {-1, 0, 1, 24, 31, 32, 33, Long.MAX_VALUE}) {
      for (long count : new long[] {0, 1, 8, 32, 33, -1, 1L << 32, (1L << 61) + 1, 1L << 63}) {
        assertEachSameAsJdk(
            count + " elements at " + offset,
            a -> a.allocateFrom(JAVA_BYTE, SOURCE, JAVA_BYTE, offset, count),
            a -> a.allocateFrom(JAVA_LONG, SOURCE, JAVA_LONG, offset, count));
      }
    }
  }

  @Test
  void layoutsThatDoNotMatchThrowWhatTheJdkThrows() {
    List<ValueLayout> layouts =
        List.of(
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG_UNALIGNED,
            JAVA_LONG.withByteAlignment(32),
            JAVA_BYTE.withByteAlignment(2));
    for (ValueLayout to : layouts) {
      for (ValueLayout from : layouts) {
        for (long offset : new long[] {0, 4, 5}) {
          String what = from + " at " + offset + " to " + to;
          assertSameAsJdk(what, arena -> arena.allocateFrom(to, SOURCE, from, offset, 2));
        }
      }
    }
  }

  @Test
  void sourceMayBeAnyMemoryThatMayBeRead() throws Exception {
    MemorySegment global = Arena.global().allocateFrom("12345678").asReadOnly();
    MemorySegment foreign = ThreadKind.PLATFORM.call(() -> Arena.ofConfined().allocate(8));
    Arena closed = open();
    MemorySegment stale = closed.allocate(8);
    closed.close();
    for (MemorySegment source : List.of(global, foreign, stale)) {
      assertSameAsJdk(source, a -> a.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 0, 8));
    }
    assertSameAsJdk(
        "itself",
        arena -> arena.allocateFrom(JAVA_BYTE, arena.allocateFrom("itself"), JAVA_BYTE, 1, 5));
  }

  @Test
  void nullsAndAddressesInTheHeapThrowWhatTheJdkThrows() {
    assertEachSameAsJdk(
        "refused",
        a -> a.allocateFrom(ADDRESS, SOURCE),
        a -> a.allocate(null),
        a -> a.allocate((MemoryLayout) null, 1),
        a -> a.allocateFrom((ValueLayout.OfByte) null, (byte) 1),
        a -> a.allocateFrom((ValueLayout.OfChar) null, 'c'),
        a -> a.allocateFrom((ValueLayout.OfShort) null, (short) 1),
        a -> a.allocateFrom((ValueLayout.OfInt) null, 1),
        a -> a.allocateFrom((ValueLayout.OfFloat) null, 1f),
        a -> a.allocateFrom((ValueLayout.OfLong) null, 1L),
        a -> a.allocateFrom((ValueLayout.OfDouble) null, 1d),
        a -> a.allocateFrom((AddressLayout) null, MemorySegment.NULL),
        a -> a.allocateFrom((ValueLayout.OfInt) null, 1, 2),
        a -> a.allocateFrom((String) null),
        a -> a.allocateFrom(null, StandardCharsets.UTF_16),
        a -> a.allocateFrom("text", (Charset) null),
        a -> a.allocateFrom(ADDRESS, null),
        a -> a.allocateFrom(JAVA_BYTE, (byte[]) null),
        a -> a.allocateFrom(null, SOURCE, JAVA_BYTE, 0, 8),
        a -> a.allocateFrom(JAVA_BYTE, null, JAVA_BYTE, 0, 8),
        a -> a.allocateFrom(JAVA_BYTE, SOURCE, null, 0, 8),
        a -> a.allocateFrom(JAVA_BYTE, null, JAVA_BYTE, 0, -1),
        a -> a.allocateFrom(null, null, null, 0, 0));
  }

  @Test
  void failedCopyLeavesNothingBehind() {
    try (Arena arena = open()) {
      assertThat(Outcome.of(() -> arena.allocateFrom(JAVA_BYTE, SOURCE, JAVA_BYTE, 0, 33)))
          .contains("IndexOutOfBoundsException");
      assertZero(arena.allocate(16));
    }
  }
}
