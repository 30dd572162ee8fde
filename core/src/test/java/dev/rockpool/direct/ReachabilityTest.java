package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is made of a buffer keeps its memory; nothing else does. */
@Tag("jdk")
class ReachabilityTest {
  private static final int CAPACITY = 512;

  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(1 << 20);

  private static Stream<Named<Function<ByteBuffer, Object>>> keepers() {
    return Stream.of(
        Named.of("slice", buffer -> buffer.slice(100, 1)),
        Named.of("empty slice", buffer -> buffer.slice(CAPACITY, 0)),
        Named.of("duplicate", ByteBuffer::duplicate),
        Named.of("read-only", ByteBuffer::asReadOnlyBuffer),
        Named.of("read-only slice of a duplicate", b -> b.duplicate().slice().asReadOnlyBuffer()),
        Named.of("aligned slice", buffer -> buffer.alignedSlice(8)),
        Named.of("chars", ByteBuffer::asCharBuffer),
        Named.of("shorts", ByteBuffer::asShortBuffer),
        Named.of("ints", ByteBuffer::asIntBuffer),
        Named.of("longs", ByteBuffer::asLongBuffer),
        Named.of("floats", ByteBuffer::asFloatBuffer),
        Named.of("doubles", ByteBuffer::asDoubleBuffer),
        Named.of("slice of ints", buffer -> buffer.asIntBuffer().slice(10, 1)),
        Named.of("segment", MemorySegment::ofBuffer),
        Named.of("segment of ints", buffer -> MemorySegment.ofBuffer(buffer.asIntBuffer())),
        Named.of("slice of a segment", buffer -> MemorySegment.ofBuffer(buffer).asSlice(8, 8)),
        Named.of(
            "buffer of a segment", buffer -> MemorySegment.ofBuffer(buffer).asByteBuffer().slice()),
        Named.of("scope", buffer -> MemorySegment.ofBuffer(buffer).scope()));
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void memoryStaysAsLongAsAnythingMadeOfTheBuffer(Function<ByteBuffer, Object> make) {
    Object[] keeper = new Object[1];
    allocate(make, keeper);
    // Another block of the same time went: so this one would have, too.
    WeakReference<ByteBuffer> witness = new WeakReference<>(memory.allocate(1));
    Collected.await("the witness", () -> witness.refersTo(null) && memory.reserved() == CAPACITY);
    System.gc();
    assertThat(memory.reserved()).isEqualTo(CAPACITY);
    assertThat(checked.blocks()).isEqualTo(1);
    checkContent(keeper);
    keeper[0] = null;
    Collected.await("what was made of it", () -> memory.reserved() == 0);
    assertThat(checked.violations()).isEmpty();
    assertThat(checked.bytes()).isZero();
  }

  /** In a method of its own, too. */
  private static void checkContent(Object[] keeper) {
    if (keeper[0] instanceof MemorySegment segment && segment.byteSize() > 0) {
      assertThat(segment.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
    }
  }

  /** In a method of its own, so that no local variable holds the buffer. */
  private void allocate(Function<ByteBuffer, Object> make, Object[] keeper) {
    ByteBuffer buffer = memory.allocate(CAPACITY);
    MemorySegment.ofBuffer(buffer).fill((byte) 7);
    keeper[0] = make.apply(buffer);
  }
}
