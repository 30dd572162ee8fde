package dev.rockpool.direct;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.CountDownLatch;

/** While open, the reclaimer frees nothing: it frees a block that takes that long to be freed. */
final class PausedReclaimer implements AutoCloseable, MemorySource {
  private final CountDownLatch paused = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final MemorySegment slow;

  PausedReclaimer() throws InterruptedException {
    slow = new DirectMemory(new Budget(1, "the test"), this).allocate(1, 1);
    requireNonNull(Block.bin(slow.scope()).find(slow.scope())).enqueue();
    paused.await();
  }

  @Override
  public void close() {
    closed.countDown();
    Reference.reachabilityFence(slow);
  }

  @Override
  public long allocateZeroed(long byteSize) {
    return SYSTEM.allocateZeroed(byteSize);
  }

  @Override
  public void free(long address, long byteSize) {
    paused.countDown();
    while (closed.getCount() > 0) {
      Thread.yield(); // a thread that comes into line interrupts the reclaimer
    }
    SYSTEM.free(address, byteSize);
  }
}
