package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rockpool.internal.TouchedPages.PageMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All that was written is zero afterwards, and what was not touched still is not. */
@EnabledOnOs(OS.LINUX)
class TouchedPagesTest {
  private static final int PAGE = 4096;
  private static final int PAGES = 600; // more than are looked at in one go, twice
  private static final long BYTE_SIZE = (long) PAGES * PAGE;

  private long address;
  private MemorySegment memory;

  @BeforeAll
  static void assumeThatPagesAreKnown() {
    assumeTrue(
        TouchedPages.areKnown() || ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
        "qemu passes on the pagemap of the machine, in the machine's byte order");
  }

  @BeforeEach
  void map() {
    address = Pages.allocateZeroed(BYTE_SIZE);
    memory = NativeMemory.slice(address, BYTE_SIZE);
  }

  @AfterEach
  void free() {
    Pages.free(address, BYTE_SIZE);
  }

  private long touched() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries = arena.allocate(ValueLayout.JAVA_LONG, PAGES);
      assertThat(PageMap.read(PageMap.PAGE_BITS, address / PAGE, PAGES, entries)).isTrue();
      return LongStream.range(0, PAGES).filter(i -> PageMap.isTouched(entries, i)).count();
    }
  }

  @Test
  void areKnownHere() {
    assertThat(TouchedPages.areKnown()).isTrue();
    assertThat(touched()).isZero();
  }

  /** As on a system with other pages than the expected ones. */
  @ParameterizedTest
  @ValueSource(ints = {13, 14, 16})
  void areUnknownWherePagesHaveAnotherSize(int pageBits) {
    assertThat(PageMap.Checked.check(PageMap.PAGE_BITS)).isTrue();
    assertThat(PageMap.Checked.check(pageBits)).isFalse();
  }

  @Test
  void zeroesWhatWasWrittenAndTouchesNothingElse() {
    SplittableRandom random = new SplittableRandom(7);
    MemorySegment zeroes = MemorySegment.ofArray(new byte[(int) BYTE_SIZE]);
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 5; i++) {
        long from = random.nextLong(BYTE_SIZE);
        long byteSize = Math.min(BYTE_SIZE - from, random.nextInt(1, 20 * PAGE));
        memory.asSlice(from, byteSize).fill((byte) -1);
      }
      long before = touched();
      TouchedPages.zero(address, BYTE_SIZE);
      assertThat(touched()).isEqualTo(before).isLessThan(PAGES);
      assertThat(memory.mismatch(zeroes)).isEqualTo(-1);
      // That look has touched all of it.
      free();
      map();
    }
  }

  @Test
  void zeroesFromOneByteToAnotherAndNothingBesides() {
    memory.fill((byte) -1);
    long from = 3 * PAGE - 1;
    long to = 7 * PAGE + 1;
    TouchedPages.zero(address + from, to - from);
    for (long i = 0; i < 10 * PAGE; i++) {
      assertThat(memory.get(ValueLayout.JAVA_BYTE, i))
          .isEqualTo((byte) (i < from || i >= to ? -1 : 0));
    }
    TouchedPages.zero(address, 1);
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) -1);
  }
}
