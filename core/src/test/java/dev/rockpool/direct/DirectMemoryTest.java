package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.Collected;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Direct memory: like {@code ByteBuffer.allocateDirect}, counted, and refused by name. */
@Tag("jdk")
class DirectMemoryTest {
  private static final int MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 4096, 65_536, 262_143, 262_144, MIB + 1})
  void bufferIsLikeThatOfTheJdk(int capacity) {
    DirectMemory memory = DirectMemory.ofLimit(64 * MIB);
    ByteBuffer ours = memory.allocate(capacity);
    ByteBuffer jdks = ByteBuffer.allocateDirect(capacity);
    assertThat(ours.capacity()).isEqualTo(capacity);
    assertThat(ours.position()).isZero();
    assertThat(ours.limit()).isEqualTo(capacity);
    assertThat(ours.isDirect()).isTrue();
    assertThat(ours.isReadOnly()).isFalse();
    assertThat(ours.hasArray()).isFalse();
    assertThat(ours.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(ours).as("all bytes zero").isEqualTo(jdks);
    assertThat(memory.reserved()).isEqualTo(capacity);
    memory.free(ours);
    assertThat(memory.reserved()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 4096, 262_144, MIB})
  void memoryIsZeroedAlsoWhenItWasUsedBefore(int capacity) {
    DirectMemory memory = DirectMemory.ofLimit(MIB);
    ByteBuffer zeroes = ByteBuffer.allocate(capacity);
    for (int round = 0; round < 20; round++) {
      ByteBuffer buffer = memory.allocate(capacity);
      assertThat(buffer).isEqualTo(zeroes);
      MemorySegment.ofBuffer(buffer).fill((byte) -1);
      memory.free(buffer);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "100, 16", "100, 64", "5, 4096", "300000, 4096", "300000, 65536"})
  void segmentIsAlignedAndItsPaddingCounts(long byteSize, long byteAlignment) {
    DirectMemory memory = DirectMemory.ofLimit(MIB);
    MemorySegment segment = memory.allocate(byteSize, byteAlignment);
    assertThat(segment.byteSize()).isEqualTo(byteSize);
    assertThat(segment.address() % byteAlignment).isZero();
    assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) byteSize]))).isEqualTo(-1);
    long padding = Math.max(0, byteAlignment - 16);
    assertThat(memory.reserved()).isEqualTo(byteSize + padding);
    memory.free(segment);
    assertThat(memory.reserved()).isZero();
  }

  /** The limit counts what the program asks for, so chunks of a power of two fill it. */
  @Test
  void emptyBlocksHaveAddressesOfTheirOwnAndTakeNothingOfTheLimit() {
    DirectMemory memory = DirectMemory.ofLimit(MIB);
    MemorySegment all = memory.allocate(MIB, 1);
    MemorySegment one = memory.allocate(0, 1);
    MemorySegment other = memory.allocate(0, 1);
    assertThat(one.address()).isNotEqualTo(other.address());
    assertThat(memory.allocate(0).capacity()).isZero();
    assertThat(memory.ofShared().allocate(0).byteSize()).isZero();
    assertThat(memory.reserved()).isEqualTo(MIB);
    memory.free(other);
    memory.free(one);
    memory.free(all);
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void badArgumentsAreRefusedByNameAndNothingIsReserved() {
    DirectMemory memory = DirectMemory.ofLimit(MIB);
    assertThatThrownBy(() -> memory.allocate(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity must not be negative: capacity=-1");
    for (long alignment : new long[] {0, -1, 3, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> memory.allocate(8, alignment))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("byteSize=8, byteAlignment=" + alignment);
    }
    assertThatThrownBy(() -> memory.allocate(-8, 8)).isInstanceOf(IllegalArgumentException.class);
    for (long limit : new long[] {0, -1}) {
      assertThatThrownBy(() -> DirectMemory.ofLimit(limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("byteSize must be positive: byteSize=" + limit);
    }
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void moreThanTheLimitIsRefusedAtOnce() {
    DirectMemory memory = DirectMemory.ofLimit(1000);
    MemorySegment some = memory.allocate(400, 1);
    long collections = Collector.begun();
    assertThatThrownBy(() -> memory.allocate(1001))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "Direct memory must stay within its limit: asked for 1001 bytes, reserved 400, limit"
                + " 1000. Raise the limit: the argument of DirectMemory.ofLimit.");
    assertThatThrownBy(() -> memory.allocate(Long.MAX_VALUE, 4096))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("asked for " + Long.MAX_VALUE + " bytes");
    assertThat(Collector.begun()).isEqualTo(collections);
    memory.free(some);
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void whatIsLiveIsRefusedWithTheFiguresAndTheRestGoesOn() {
    DirectMemory memory = DirectMemory.ofLimit(1000);
    ByteBuffer live = memory.allocate(600);
    assertThatThrownBy(() -> memory.allocate(401))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith(
            "Direct memory must stay within its limit: asked for 401 bytes, reserved 600, limit"
                + " 1000. ");
    assertThat(memory.reserved()).isEqualTo(600);
    assertThat(memory.allocate(400).capacity()).isEqualTo(400);
    live.putLong(0, 1);
  }

  @Test
  void droppedBuffersMakeRoomForNewOnes() {
    DirectMemory memory = DirectMemory.ofLimit(10 * 1000);
    for (int i = 0; i < 200; i++) {
      memory.allocate(1000).putInt(0, i);
    }
    Collected.await("all buffers", () -> memory.reserved() == 0);
    assertThat(Blocks.count(memory)).isZero();
  }

  @Test
  void systemWithoutMemoryIsReportedAndNothingStaysReserved() {
    DirectMemory memory = DirectMemory.ofLimit(Long.MAX_VALUE);
    assertThatThrownBy(() -> memory.allocate(Long.MAX_VALUE / 2, 1))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("The system has no memory: asked for " + Long.MAX_VALUE / 2);
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void budgetsAreCountedEachOnItsOwn() {
    DirectMemory one = DirectMemory.ofLimit(1000);
    DirectMemory other = DirectMemory.ofLimit(1000);
    List<ByteBuffer> live = new ArrayList<>();
    live.add(one.allocate(1000));
    live.add(other.allocate(999));
    assertThat(one.reserved()).isEqualTo(1000);
    assertThat(other.reserved()).isEqualTo(999);
    assertThat(other).hasToString("DirectMemory[reserved=999, limit=1000]");
    live.forEach(buffer -> buffer.put(0, (byte) 1));
  }

  @Test
  void globalOneHasTheLimitOfTheJvm() {
    assertThat(DirectMemory.global()).isSameAs(DirectMemory.global());
    assertThat(DirectMemory.global().limit()).isEqualTo(Runtime.getRuntime().maxMemory());
  }
}
