package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stand-ins for {@code ByteBuffer.allocateDirect} and {@code Unsafe.invokeCleaner}. */
class BuffersTest {
  private final DirectMemory memory = DirectMemory.global();
  private final long before = memory.reserved();

  @AfterEach
  void allIsFreed() {
    assertThat(memory.reserved()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 1 << 20})
  void bufferCountsUntilItIsCleaned(int capacity) {
    ByteBuffer buffer = Buffers.allocateDirect(capacity);

    assertThat(buffer).isEqualTo(ByteBuffer.allocateDirect(capacity));
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(memory.reserved()).isEqualTo(before + Math.max(1, capacity));

    Buffers.invokeCleaner(buffer);
    assertThat(memory.reserved()).isEqualTo(before);
  }

  @Test
  void negativeCapacityIsRefusedInTheWordsOfTheJdk() {
    assertThatThrownBy(() -> Buffers.allocateDirect(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity < 0: (-1 < 0)");
  }

  @Test
  void positionAndLimitDoNotMatterToTheCleaner() {
    Buffers.invokeCleaner(Buffers.allocateDirect(10_000).position(9_000).limit(9_001));
  }

  @Test
  void secondTimeDoesNothing() {
    ByteBuffer buffer = Buffers.allocateDirect(100);
    Buffers.invokeCleaner(buffer);
    ByteBuffer other = Buffers.allocateDirect(100);

    Buffers.invokeCleaner(buffer);

    assertThat(memory.reserved()).as("maybe at the same address").isEqualTo(before + 100);
    Buffers.invokeCleaner(other);
  }

  @Test
  void whatWasFreedByHandBeforeIsLeftAlone() {
    ByteBuffer buffer = memory.allocate(100);
    memory.free(buffer);

    assertThatCode(() -> Buffers.invokeCleaner(buffer)).doesNotThrowAnyException();
  }

  /** To the JDK such a view is neither a slice nor a duplicate; it frees nothing for one either. */
  @Test
  void viewsOfItsSegmentAreLeftAlone() {
    ByteBuffer buffer = Buffers.allocateDirect(8192);
    MemorySegment segment = MemorySegment.ofBuffer(buffer);

    Buffers.invokeCleaner(segment.asByteBuffer());
    Buffers.invokeCleaner(segment.asSlice(0, 16).asByteBuffer());

    assertThat(memory.reserved()).isEqualTo(before + 8192);
    Buffers.invokeCleaner(buffer);
  }

  /** The JDK refuses slices that start elsewhere, too, before it comes to that. */
  @Test
  void buffersThatAreNotOursAreLeftAlone() {
    ByteBuffer whole = Buffers.allocateDirect(20_000);
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer ofArena = arena.allocate(8).asByteBuffer();
      ByteBuffer jdks = ByteBuffer.allocateDirect(8);
      ByteBuffer near = whole.slice(16, 1);
      ByteBuffer far = whole.slice(10_000, 1);
      for (ByteBuffer other : new ByteBuffer[] {ofArena, jdks, ByteBuffer.allocate(8), near, far}) {
        Buffers.invokeCleaner(other);
        other.put(0, (byte) 1);
      }
    }
    assertThat(memory.reserved()).isEqualTo(before + 20_000);
    assertThat(MemorySegment.ofBuffer(whole).asSlice(10_000, 1).toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(1);
    Buffers.invokeCleaner(whole);
  }
}
