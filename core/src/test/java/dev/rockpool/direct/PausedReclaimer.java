package dev.rockpool.direct;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * While open, no line is driven but by {@link #driveUntil}: the reclaimer frees a block that takes
 * that long to be freed. So no waiter is refused because a test's thread was late.
 */
final class PausedReclaimer implements AutoCloseable, MemorySource {
  private final CountDownLatch paused = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final MemorySegment slow;

  PausedReclaimer() throws InterruptedException {
    slow = new DirectMemory(new Budget(1, "the test"), this).allocate(1, 1);
    requireNonNull(Block.bin(slow.scope()).find(slow.scope())).enqueue();
    paused.await();
  }

  /** Does the reclaimer's work for all lines until a condition holds. */
  void driveUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(WaitingLine.driveAll());
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Reference.reachabilityFence(slow);
  }

  @Override
  public long smallestKept() {
    return SYSTEM.smallestKept();
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
