package dev.rockpool.direct;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that frees what nothing reaches. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReclaimerTest {
  /** Memory that can't be freed, as where the heap is full. */
  private static final class Failing implements MemorySource {
    final CompletableFuture<Thread> failed = new CompletableFuture<>();

    @Override
    public long allocateZeroed(long byteSize) {
      return SYSTEM.allocateZeroed(byteSize);
    }

    @Override
    public void free(long address, long byteSize) {
      failed.complete(Thread.currentThread());
      throw new OutOfMemoryError("on purpose");
    }
  }

  /** Programs end themselves in that handler, or alarm somebody. */
  @Test
  void fullHeapDoesNotReachTheProgramsHandlerAndALaterBlockIsFreed() throws Exception {
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    try {
      Failing failing = new Failing();
      MemorySegment lost = new DirectMemory(new Budget(1, "the test"), failing).allocate(1, 1);
      requireNonNull(Block.bin(lost.scope()).find(lost.scope())).enqueue();
      failing.failed.get().join();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
    DirectMemory memory = DirectMemory.ofLimit(100);
    memory.allocate(100);
    Collected.await("the buffer", () -> memory.reserved() == 0);
  }

  /** A thread would keep its class loader, and with it an undeployed application. */
  @Test
  void threadEndsAlthoughABlockIsInUse() throws Exception {
    DirectMemory memory = DirectMemory.ofLimit(200);
    MemorySegment used = memory.allocate(100, 1);
    while (isRunning()) {
      Thread.sleep(10);
    }
    memory.allocate(100, 1);
    Collected.await("the segment", () -> memory.reserved() == 100);
    memory.free(used);
  }

  private static boolean isRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(Reclaimer.THREAD_NAME));
  }
}
