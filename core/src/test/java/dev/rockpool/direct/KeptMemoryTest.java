package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Freed blocks serve the next request of their size; they are zero then, and never in the way. */
class KeptMemoryTest {
  private static final int LIMIT = 16 << 20;
  private static final int KIB = 1 << 10;

  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(LIMIT);
  private final KeptMemory keptMemory = memory.keptMemory();

  @BeforeEach
  void leaveAlone() {
    keptMemory.isTended = true;
  }

  @AfterEach
  void nothingWasViolated() {
    CheckingMemory.checkKept(memory);
    assertThat(checked.violations()).isEmpty();
    assertThat(checked.mostBytes()).isLessThanOrEqualTo(LIMIT);
  }

  private long allocateAndFree(long byteSize) {
    MemorySegment segment = memory.allocate(byteSize, 1);
    segment.fill((byte) -1);
    memory.free(segment);
    return segment.address();
  }

  @ParameterizedTest
  @ValueSource(
      longs = {CheckingMemory.SMALLEST_KEPT, 5000, 64 * KIB, 256 * KIB, KeptMemory.LARGEST})
  void freedBlockServesTheNextRequestOfItsSizeZeroed(long byteSize) {
    long address = allocateAndFree(byteSize);
    assertThat(memory.reserved()).isZero();
    assertThat(keptMemory.kept).isEqualTo(byteSize);
    MemorySegment again = memory.allocate(byteSize, 1);
    assertThat(again.address()).isEqualTo(address);
    assertThat(again.mismatch(MemorySegment.ofArray(new byte[(int) byteSize]))).isEqualTo(-1);
    assertThat(keptMemory.kept).isZero();
    assertThat(checked.frees()).isZero();
    memory.free(again);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, CheckingMemory.SMALLEST_KEPT - 1, KeptMemory.LARGEST + 1})
  void otherSizesGoBackAtOnce(long byteSize) {
    allocateAndFree(byteSize);
    assertThat(keptMemory.kept).isZero();
    assertThat(checked.frees()).isEqualTo(1);
  }

  @Test
  void blockOfAnotherSizeIsNotTaken() {
    long address = allocateAndFree(8 * KIB);
    MemorySegment other = memory.allocate(8 * KIB + 16, 1);
    assertThat(other.address()).isNotEqualTo(address);
    assertThat(keptMemory.kept).isEqualTo(8 * KIB);
    memory.free(other);
  }

  @Test
  void whatTheCollectorFindsIsKeptToo() {
    memory.allocate(8 * KIB, 1);
    Collected.await("the segment", () -> memory.reserved() == 0);
    assertThat(keptMemory.kept).isEqualTo(8 * KIB);
  }

  /** Each is written all over; each is zero when it comes again; no two of them overlap. */
  @Test
  void blocksComeAndGoWithoutOldBytesAndWithoutTwoOwners() {
    SplittableRandom random = new SplittableRandom(1);
    List<MemorySegment> live = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (live.size() < 20 || random.nextInt(3) == 0 && live.size() < 60) {
        long byteSize = (4L * KIB) << random.nextInt(6);
        MemorySegment segment = memory.allocate(byteSize, 1);
        assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) byteSize]))).isEqualTo(-1);
        live.add(segment.fill((byte) i));
        segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, segment.address());
      } else {
        MemorySegment segment = live.remove(random.nextInt(live.size()));
        assertThat(segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(segment.address());
        memory.free(segment);
      }
      CheckingMemory.checkKept(memory);
    }
    live.forEach(memory::free);
  }

  @Test
  void whatIsKeptIsGivenUpWhenAnotherSizeNeedsTheRoom() {
    List<MemorySegment> small = new ArrayList<>();
    for (int i = 0; i < LIMIT / (64 * KIB); i++) {
      small.add(memory.allocate(64 * KIB, 1));
    }
    small.forEach(memory::free);
    long collections = Collector.begun();
    assertThat(keptMemory.kept).isEqualTo(LIMIT);
    MemorySegment one = memory.allocate(100 * KIB, 1);
    assertThat(keptMemory.kept).as("two of them gone").isEqualTo(LIMIT - 128 * KIB);
    assertThat(memory.budget().inUse()).isEqualTo(LIMIT - 28 * KIB);
    MemorySegment rest = memory.allocate(LIMIT - 100 * KIB, 1);
    assertThat(keptMemory.kept).isZero();
    assertThat(Collector.begun()).isEqualTo(collections);
    memory.free(rest);
    memory.free(one);
  }

  @Test
  void whatIsKeptMakesRoomForArenas() {
    for (int i = 0; i < 2; i++) {
      MemorySegment[] segments = {memory.allocate(KIB << 10, 1), memory.allocate(KIB << 10, 1)};
      memory.free(segments[0]);
      memory.free(segments[1]);
      try (Arena arena = i == 0 ? memory.ofConfined() : memory.ofShared()) {
        arena.allocate(LIMIT - (KIB << 10));
        assertThat(keptMemory.kept).isEqualTo(KIB << 10);
        arena.allocate(1);
        assertThat(keptMemory.kept).isZero();
      }
    }
  }

  /** Two blocks, so that the size whose blocks came first is kept while one of them is in use. */
  @Test
  void sizeThatWasUsedLeastRecentlyIsGivenUpFirst() {
    MemorySegment[] kept = {
      memory.allocate(1 << 20, 1), memory.allocate(1 << 20, 1), memory.allocate(3 << 18, 1)
    };
    for (MemorySegment each : kept) {
      memory.free(each);
    }
    allocateAndFree(1 << 20);
    memory.free(memory.allocate(LIMIT - (2 << 20), 1));
    assertThat(keptMemory.shelves).containsOnlyKeys(1L << 20);
    assertThat(keptMemory.kept).isEqualTo(2 << 20);
  }

  /** Ten are kept; of these one is needed between two looks, over and over. */
  @Test
  void trimmingGivesUpAQuarterOfWhatNobodyUsedSinceItLastLooked() {
    List<MemorySegment> segments = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      segments.add(memory.allocate(8 * KIB, 1));
    }
    segments.forEach(memory::free);
    keptMemory.trim();
    assertThat(keptMemory.kept).as("it has not looked before").isEqualTo(10 * 8 * KIB);
    for (int left : new int[] {7, 5, 4, 3, 2, 1, 1, 1}) {
      allocateAndFree(8 * KIB);
      keptMemory.trim();
      assertThat(keptMemory.kept).isEqualTo(left * 8 * KIB);
    }
    keptMemory.trim();
    assertThat(keptMemory.kept).isZero();
    assertThat(checked.bytes()).isZero();
  }

  /** By the housekeeper, and again when something is kept anew. */
  @Test
  void idleMemoryGoesBackByItself() {
    DirectMemory idle = checked.ofLimit(LIMIT);
    for (int round = 0; round < 2; round++) {
      idle.free(idle.allocate(8 * KIB, 1));
      assertTimeoutPreemptively(
          Duration.ofMinutes(1),
          () -> {
            while (checked.bytes() > 0) {
              Thread.yield();
            }
          });
    }
  }

  /** Memory that the system refuses while blocks are kept: these are given up first. */
  @Test
  void keptBlocksAreGivenUpWhereTheSystemHasNoMemory() {
    class Scarce implements MemorySource {
      long bytes;

      @Override
      public long smallestKept() {
        return CheckingMemory.SMALLEST_KEPT;
      }

      @Override
      public long allocateZeroed(long byteSize) {
        boolean fits = bytes + byteSize <= 20 * KIB;
        bytes += fits ? byteSize : 0;
        return fits ? SYSTEM.allocateZeroed(byteSize) : 0;
      }

      @Override
      public void free(long address, long byteSize) {
        bytes -= byteSize;
        SYSTEM.free(address, byteSize);
      }
    }
    Scarce scarce = new Scarce();
    DirectMemory large = new DirectMemory(new Budget(LIMIT, "the test"), scarce);
    large.keptMemory().isTended = true;
    large.free(large.allocate(8 * KIB, 1));
    large.free(large.allocate(9 * KIB, 1));
    assertThat(scarce.bytes).isEqualTo(17 * KIB);
    MemorySegment segment = large.allocate(12 * KIB, 1);
    assertThat(scarce.bytes).isEqualTo(12 * KIB);
    large.free(segment);
    CheckingMemory.giveUpKept(large);
    assertThat(scarce.bytes).isZero();
  }
}
