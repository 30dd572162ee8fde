package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Arguments that no arena accepts: the exceptions of the JDK, its words included. */
class MisuseTest extends ArenaContract {
  private static final long[] SIZES = {
    0, 1, -1, 8, -8, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 8
  };
  private static final long[] ALIGNMENTS = {
    1, 8, 64, 0, -1, 3, 12, 48, 65, -8, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE
  };

  /** More than any system has, so that it is refused before a byte is touched. */
  private static final long[] HUGE_SIZES = {
    1L << 62, Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MAX_VALUE - 15, (1L << 62) + (1L << 32) + 8
  };

  @Test
  void badSizesAndAlignmentsThrowWhatTheJdkThrows() {
    for (long byteSize : SIZES) {
      assertSameAsJdk(byteSize + " bytes", arena -> arena.allocate(byteSize));
      for (long alignment : ALIGNMENTS) {
        String what = byteSize + " bytes aligned to " + alignment;
        assertSameAsJdk(what, arena -> arena.allocate(byteSize, alignment));
      }
    }
  }

  @Test
  void hugeSizesThrowWhatTheJdkThrows() {
    for (long byteSize : HUGE_SIZES) {
      for (long alignment : new long[] {1, 16, 64, 4096, 1L << 40, -1}) {
        String what = byteSize + " bytes aligned to " + alignment;
        assertSameAsJdk(what, arena -> arena.allocate(byteSize, alignment));
      }
    }
    for (long byteSize : new long[] {0, 1, 8}) {
      assertSameAsJdk(byteSize + " bytes", arena -> arena.allocate(byteSize, 1L << 62));
    }
  }

  @Test
  void misuseTakesNothingFromTheBlock() {
    try (Arena arena = open()) {
      MemorySegment last = arena.allocate(16);
      for (long alignment : ALIGNMENTS) {
        assertThat(Outcome.of(() -> arena.allocate(-1, alignment))).startsWith("throws");
      }
      for (long byteSize : HUGE_SIZES) {
        assertThat(Outcome.of(() -> arena.allocate(byteSize))).startsWith("throws");
        assertThat(Outcome.of(() -> arena.allocate(byteSize, 64))).startsWith("throws");
      }
      assertNothingTakenSince(last, arena);
    }
  }

  @Test
  void nullLayoutsThrowWhatTheJdkThrows() {
    assertSameAsJdk("layout", arena -> arena.allocate(null));
    assertSameAsJdk("layout and count", arena -> arena.allocate((MemoryLayout) null, 1));
    assertSameAsJdk("byte", arena -> arena.allocateFrom((ValueLayout.OfByte) null, (byte) 1));
    assertSameAsJdk("char", arena -> arena.allocateFrom((ValueLayout.OfChar) null, 'c'));
    assertSameAsJdk("short", arena -> arena.allocateFrom((ValueLayout.OfShort) null, (short) 1));
    assertSameAsJdk("int", arena -> arena.allocateFrom((ValueLayout.OfInt) null, 1));
    assertSameAsJdk("float", arena -> arena.allocateFrom((ValueLayout.OfFloat) null, 1f));
    assertSameAsJdk("long", arena -> arena.allocateFrom((ValueLayout.OfLong) null, 1L));
    assertSameAsJdk("double", arena -> arena.allocateFrom((ValueLayout.OfDouble) null, 1d));
    assertSameAsJdk(
        "address", arena -> arena.allocateFrom((AddressLayout) null, MemorySegment.NULL));
    assertSameAsJdk("bytes", arena -> arena.allocateFrom((ValueLayout.OfByte) null, new byte[2]));
    assertSameAsJdk("ints", arena -> arena.allocateFrom((ValueLayout.OfInt) null, 1, 2));
  }

  @Test
  void nullValuesThrowWhatTheJdkThrows() {
    assertSameAsJdk("string", arena -> arena.allocateFrom((String) null));
    assertSameAsJdk(
        "string for charset", arena -> arena.allocateFrom(null, StandardCharsets.UTF_16));
    assertSameAsJdk("charset", arena -> arena.allocateFrom("text", (Charset) null));
    assertSameAsJdk(
        "string and charset", arena -> arena.allocateFrom((String) null, (Charset) null));
    assertSameAsJdk("address", arena -> arena.allocateFrom(ValueLayout.ADDRESS, null));
    assertSameAsJdk("bytes", arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte[]) null));
    assertSameAsJdk("chars", arena -> arena.allocateFrom(ValueLayout.JAVA_CHAR, (char[]) null));
    assertSameAsJdk("shorts", arena -> arena.allocateFrom(ValueLayout.JAVA_SHORT, (short[]) null));
    assertSameAsJdk("ints", arena -> arena.allocateFrom(ValueLayout.JAVA_INT, (int[]) null));
    assertSameAsJdk("floats", arena -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, (float[]) null));
    assertSameAsJdk("longs", arena -> arena.allocateFrom(ValueLayout.JAVA_LONG, (long[]) null));
    assertSameAsJdk(
        "doubles", arena -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, (double[]) null));
  }

  @Test
  void nullArgumentsOfACopyThrowWhatTheJdkThrows() {
    ValueLayout bytes = ValueLayout.JAVA_BYTE;
    MemorySegment source = MemorySegment.ofArray(new byte[8]);
    assertSameAsJdk("element layout", arena -> arena.allocateFrom(null, source, bytes, 0, 8));
    assertSameAsJdk("source", arena -> arena.allocateFrom(bytes, null, bytes, 0, 8));
    assertSameAsJdk("source layout", arena -> arena.allocateFrom(bytes, source, null, 0, 8));
    assertSameAsJdk("charset", arena -> arena.allocateFrom(null, Charset.forName("windows-1252")));
    assertSameAsJdk("source, too large", arena -> arena.allocateFrom(bytes, null, bytes, 0, -1));
    assertSameAsJdk("all", arena -> arena.allocateFrom(null, null, null, 0, 0));
  }
}
