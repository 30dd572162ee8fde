package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Freed now, once, for everybody; and what can't be freed stays as it is. */
@Tag("jdk")
class FreeTest {
  private static final int CAPACITY = 20_000;

  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(1 << 20);

  @AfterEach
  void nothingWasViolated() {
    assertThat(checked.violations()).isEmpty();
  }

  /** The end of a scope, the program and the collector may all ask for it. */
  @Test
  void blockIsFreedOnceWhoeverAsks() {
    MemorySegment segment = memory.allocate(100, 1);
    Block block = Block.bin(segment.scope()).find(segment.scope());

    assertThat(block.bin.remove(block)).isTrue();
    assertThat(block.bin.remove(block)).isFalse();
    block.free();
    assertThat(memory.reserved()).isEqualTo(100);
    memory.release(block.address, block.byteSize);
    assertThat(memory.reserved()).isZero();
    Reference.reachabilityFence(segment);
  }

  private static Stream<Named<Function<ByteBuffer, Buffer>>> views() {
    return Stream.of(
        Named.of("the buffer", buffer -> buffer),
        Named.of("duplicate", ByteBuffer::duplicate),
        Named.of("slice from 0", buffer -> buffer.slice(0, 10)),
        Named.of("slice pages behind", buffer -> buffer.slice(CAPACITY - 1, 1)),
        Named.of("empty slice at the end", buffer -> buffer.slice(CAPACITY, 0)),
        Named.of("position at the end", buffer -> buffer.duplicate().position(CAPACITY)),
        Named.of("read-only", ByteBuffer::asReadOnlyBuffer),
        Named.of("ints", ByteBuffer::asIntBuffer),
        Named.of("chars of a slice", buffer -> buffer.slice(4096, 8).asCharBuffer()),
        Named.of(
            "buffer of a segment of it",
            buffer -> MemorySegment.ofBuffer(buffer).asSlice(5000).asByteBuffer()));
  }

  @ParameterizedTest
  @MethodSource("views")
  void anyViewFreesAllOfTheMemoryForAllOfThem(Function<ByteBuffer, Buffer> view) {
    ByteBuffer buffer = memory.allocate(CAPACITY);
    ByteBuffer slice = buffer.slice(100, 100);
    MemorySegment segment = MemorySegment.ofBuffer(buffer);
    memory.free(view.apply(buffer));
    assertThat(memory.reserved()).isZero();
    assertThat(checked.blocks()).isZero();
    assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> buffer.put(0, (byte) 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> slice.getInt(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> buffer.duplicate().get()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(buffer.capacity()).as("still known").isEqualTo(CAPACITY);
  }

  @ParameterizedTest
  @MethodSource("views")
  void secondTimeIsRefused(Function<ByteBuffer, Buffer> view) {
    ByteBuffer buffer = memory.allocate(CAPACITY);
    ByteBuffer other = memory.allocate(10);
    Buffer seen = view.apply(buffer);
    memory.free(buffer);
    assertThatThrownBy(() -> memory.free(seen))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Direct memory must be freed once: ");
    assertThat(memory.reserved()).isEqualTo(10);
    assertThat(other.get(0)).isZero();
  }

  @Test
  void whatIsNotFromHereIsRefusedAndStaysUsable() {
    DirectMemory other = DirectMemory.ofLimit(100);
    ByteBuffer others = other.allocate(100);
    ByteBuffer jdks = ByteBuffer.allocateDirect(100);
    ByteBuffer heap = ByteBuffer.allocate(100);
    try (Arena arena = memory.ofShared()) {
      ByteBuffer arenas = arena.allocate(100).asByteBuffer();
      ByteBuffer automatic = memory.ofAuto().allocate(100).asByteBuffer();
      for (ByteBuffer foreign : List.of(others, jdks, heap, arenas, automatic)) {
        assertThatThrownBy(() -> memory.free(foreign))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("Memory is freed by the DirectMemory that allocated it: ");
        foreign.put(99, (byte) 1);
      }
    }
    assertThat(other.reserved()).isEqualTo(100);
    assertThatThrownBy(() -> memory.free(MemorySegment.ofArray(new byte[8])))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> memory.free(MemorySegment.NULL))
        .isInstanceOf(IllegalArgumentException.class);
    other.free(others);
  }

  /** Weak references are cleared before a finalizer runs, which may still use the memory. */
  @Test
  void finalizerMayFreeWhatOnlyFinalizersReach() {
    Queue<Object> seen = new ConcurrentLinkedQueue<>();
    makeFinalizable(seen);
    Collected.await("the finalizer's buffer", () -> !seen.isEmpty() && memory.reserved() == 0);
    assertThat(seen).containsExactly((byte) 7);
    assertThat(checked.frees()).isEqualTo(1);
  }

  /** In a method of its own, so that no local variable holds the object. */
  private void makeFinalizable(Queue<Object> seen) {
    ByteBuffer buffer = memory.allocate(100).put(99, (byte) 7);
    assertThat(new Finalizable(memory, buffer, seen).buffer).isSameAs(buffer);
  }

  private static final class Finalizable {
    private final DirectMemory memory;
    private final ByteBuffer buffer;
    private final Queue<Object> seen;

    Finalizable(DirectMemory memory, ByteBuffer buffer, Queue<Object> seen) {
      this.memory = memory;
      this.buffer = buffer;
      this.seen = seen;
    }

    @Override
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {
      try {
        byte read = buffer.get(99);
        memory.free(buffer);
        seen.add(read);
      } catch (RuntimeException refused) {
        seen.add(refused);
      }
    }
  }

  /** Native code may return any number as an address. */
  @ParameterizedTest
  @ValueSource(longs = {-12, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0, 4096})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anyAddressIsRefused(long address) {
    memory.allocate(1 << 20, 1);
    assertThatThrownBy(() -> memory.free(MemorySegment.ofAddress(address)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** From inside of a native call: qsort, which calls back to compare. */
  @Test
  void memoryThatACallWorksOnIsRefusedUntilItReturned() throws Throwable {
    MemorySegment numbers = memory.allocate(2 * Integer.BYTES, Integer.BYTES);
    numbers.setAtIndex(ValueLayout.JAVA_INT, 0, 9);
    Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
    Comparing comparing =
        (a, b) -> {
          refusals.add(catchThrowable(() -> memory.free(numbers)));
          return Integer.compare(a.get(ValueLayout.JAVA_INT, 0), b.get(ValueLayout.JAVA_INT, 0));
        };
    try (Arena arena = Arena.ofConfined()) {
      Comparing.QSORT.invokeExact(numbers, 2L, (long) Integer.BYTES, comparing.upcall(arena));
    }
    assertThat(refusals)
        .isNotEmpty()
        .allSatisfy(
            refusal ->
                assertThat(refusal)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(
                        "Direct memory is freed when no call works on it any more: "));
    assertThat(numbers.getAtIndex(ValueLayout.JAVA_INT, 1)).as("sorted").isEqualTo(9);
    assertThat(memory.reserved()).isEqualTo(2 * Integer.BYTES);
    memory.free(numbers);
    assertThat(memory.reserved()).isZero();
  }

  /** Readers and writers at full speed while the memory goes: they may only see it end. */
  @Test
  void freeingUnderConcurrentAccessEndsThatAccess() throws Exception {
    Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < 300; round++) {
      ByteBuffer buffer = memory.allocate(4096);
      CyclicBarrier start = new CyclicBarrier(3);
      List<Thread> users = new ArrayList<>();
      for (int user = 0; user < 2; user++) {
        Thread.Builder builder = user == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        users.add(
            builder.start(
                () -> {
                  try {
                    start.await();
                    for (int i = 0; ; i = (i + 8) & 4095) {
                      buffer.putLong(i, ~buffer.getLong(i));
                    }
                  } catch (IllegalStateException freed) {
                    return;
                  } catch (Throwable other) {
                    unexpected.add(other);
                  }
                }));
      }
      start.await();
      memory.free(buffer);
      for (Thread user : users) {
        user.join();
      }
    }
    assertThat(unexpected).isEmpty();
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void ofManyThreadsThatFreeABufferOneDoes() throws Exception {
    for (int round = 0; round < 100; round++) {
      ByteBuffer buffer = memory.allocate(64);
      CyclicBarrier start = new CyclicBarrier(4);
      AtomicInteger freed = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        start.await();
                        memory.free(buffer.slice());
                        freed.incrementAndGet();
                      } catch (IllegalStateException once) {
                        refused.incrementAndGet();
                      } catch (Exception failure) {
                        throw new AssertionError(failure);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(freed).hasValue(1);
      assertThat(refused).hasValue(3);
    }
    assertThat(memory.reserved()).isZero();
    assertThat(checked.frees()).isEqualTo(100);
  }
}
