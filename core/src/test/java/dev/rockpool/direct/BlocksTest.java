package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of all blocks: found by any address in them, taken out once. */
class BlocksTest {
  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(1L << 30);

  /** Many to a page, pages in a row, regions apart. */
  private List<MemorySegment> allocateOfAllSizes() {
    List<MemorySegment> segments = new ArrayList<>();
    for (int byteSize : new int[] {1, 16, 100, 4096, 10_000, 300_000}) {
      for (int i = 0; i < 300; i++) {
        segments.add(memory.allocate(byteSize, 1));
      }
    }
    return segments;
  }

  @Test
  void eachBlockIsFoundByEveryAddressInIt() {
    List<MemorySegment> segments = allocateOfAllSizes();
    for (MemorySegment segment : segments) {
      Block block = Blocks.find(segment.address(), segment.scope());
      assertThat(block.address()).isEqualTo(segment.address());
      for (long offset = 0; offset <= segment.byteSize(); offset += 1 + segment.byteSize() / 7) {
        assertThat(Blocks.find(segment.address() + offset, segment.scope())).isSameAs(block);
      }
    }
    segments.forEach(memory::free);
    for (MemorySegment segment : segments) {
      assertThat(Blocks.find(segment.address(), segment.scope())).isNull();
    }
    CheckingMemory.giveUpKept(memory);
    assertThat(checked.blocks()).isZero();
    assertThat(checked.violations()).isEmpty();
  }

  @Test
  void scopeThatIsNotOfABlockIsNotFound() {
    MemorySegment segment = memory.allocate(100, 1);
    try (Arena foreign = Arena.ofShared()) {
      assertThat(Blocks.find(segment.address(), foreign.scope())).isNull();
      assertThat(Blocks.find(0, foreign.scope())).isNull();
    }
    memory.free(segment);
  }

  /** Without the queue: as if the JVM had not passed anything on yet. */
  @Test
  void whatIsUnreachableIsFoundWithoutWaitingForTheQueue() {
    MemorySegment live = memory.allocate(100, 1);
    WeakReference<MemorySegment> dropped = new WeakReference<>(memory.allocate(100, 1));
    Collected.await("the segment", () -> dropped.refersTo(null));
    while (memory.reserved() > 100) {
      Blocks.freeUnreachable();
    }
    Blocks.freeUnreachable();
    assertThat(memory.reserved()).isEqualTo(100);
    assertThat(checked.frees()).isEqualTo(1);
    assertThat(checked.violations()).isEmpty();
    memory.free(live);
  }

  @Test
  void blockIsFreedAndCreditedOnceWhateverHappens() {
    MemorySegment segment = memory.allocate(100, 1);
    Block block = Blocks.find(segment.address(), segment.scope());
    memory.free(segment);
    block.free();
    block.free();
    assertThat(checked.frees()).isEqualTo(1);
    assertThat(memory.reserved()).isZero();
    assertThat(checked.violations()).isEmpty();
  }
}
