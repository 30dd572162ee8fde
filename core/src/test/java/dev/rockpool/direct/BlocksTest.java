package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The table of all blocks: found by their scope, taken out once. */
class BlocksTest {
  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(1L << 30);

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
  void eachBlockIsFoundByItsScopeUntilItIsFreed() {
    List<MemorySegment> segments = allocateOfAllSizes();
    assertThat(Blocks.count(memory)).isEqualTo(segments.size());
    for (MemorySegment segment : segments) {
      Block block = Blocks.find(segment.scope());
      assertThat(block.address).isEqualTo(segment.address());
      assertThat(Blocks.find(segment.asSlice(segment.byteSize()).scope())).isSameAs(block);
    }
    Collections.shuffle(segments, new Random(1));
    for (int i = 0; i < segments.size(); i++) {
      MemorySegment segment = segments.get(i);
      memory.free(segment);
      assertThat(Blocks.find(segment.scope())).isNull();
      if (i % 3 == 0) {
        memory.free(memory.allocate(1, 1)); // which takes a place that is free again
      }
    }
    assertThat(Blocks.count(memory)).isZero();
    CheckingMemory.giveUpKept(memory);
    assertThat(checked.blocks()).isZero();
    assertThat(checked.violations()).isEmpty();
  }

  @Test
  void scopeThatIsNotOfABlockIsNotFound() {
    MemorySegment segment = memory.allocate(100, 1);
    try (Arena foreign = Arena.ofShared();
        Arena budgeted = memory.ofShared()) {
      budgeted.allocate(1);
      assertThat(Blocks.find(foreign.scope())).isNull();
      assertThat(Blocks.find(budgeted.scope())).isNull();
      assertThat(Blocks.find(MemorySegment.NULL.scope())).isNull();
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
    Block block = Blocks.find(segment.scope());
    memory.free(segment);
    block.free();
    block.free();
    assertThat(checked.frees()).isEqualTo(1);
    assertThat(memory.reserved()).isZero();
    assertThat(checked.violations()).isEmpty();
  }

  /** The searching thread sees a block in a slot, and may find another one there a moment later. */
  @Test
  void searchFreesNoBlockThatCameIntoTheSlotOfAnAbandonedOne() throws Exception {
    AtomicBoolean searches = new AtomicBoolean(true);
    Thread searcher =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (searches.get()) {
                    Blocks.freeUnreachable();
                  }
                });
    try {
      for (int round = 0; round < 100_000; round++) {
        Block abandoned = Blocks.find(memory.allocate(100, 1).scope());
        abandoned.abandoned = true;
        abandoned.tryFree();
        MemorySegment live = memory.allocate(100, 1);
        for (int i = 0; i < 20; i++) {
          Thread.onSpinWait();
        }
        memory.free(live);
      }
    } finally {
      searches.set(false);
      searcher.join();
    }
    assertThat(checked.violations()).isEmpty();
  }

  /** A batch of two memories, in two stripes; the source of one fails once, for lack of stack. */
  @Test
  void batchThatFailsHalfWayIsFreedOnce() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    MemorySource failing =
        new MemorySource() {
          @Override
          public long allocateZeroed(long byteSize) {
            return checked.allocateZeroed(byteSize);
          }

          @Override
          public void free(long address, long byteSize) {
            if (fails.getAndSet(false)) {
              throw new StackOverflowError("the test's");
            }
            checked.free(address, byteSize);
          }
        };
    DirectMemory other = new DirectMemory(new Budget(1000, "the test"), failing);
    List<MemorySegment> segments = new ArrayList<>();
    segments.add(memory.allocate(100, 1));
    segments.add(other.allocate(10, 1));
    Thread.ofPlatform().start(() -> segments.add(other.allocate(20, 1))).join();
    segments.add(memory.allocate(200, 1));
    for (MemorySegment segment : segments) {
      assertThat(Blocks.find(segment.scope()).enqueue()).isTrue();
    }

    while (memory.reserved() + other.reserved() > 0) {
      Reclaimer.freeSome();
    }

    assertThat(fails).isFalse();
    assertThat(checked.frees()).isEqualTo(4);
    assertThat(checked.violations()).isEmpty();
    for (MemorySegment segment : segments) {
      assertThat(Blocks.find(segment.scope())).isNull();
    }
  }
}
