package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Under contention the sum handed out stays within the limit at any instant, as counted by the
 * memory itself; nothing is freed twice or used after it was freed; in the end all is free.
 */
class ExactnessTest {
  private static final int LIMIT = 1 << 20;
  private static final int LARGEST = 20_000;

  @Test
  void limitHoldsAtEveryInstantAndAllIsFreeInTheEnd() throws Exception {
    CheckingMemory checked = new CheckingMemory();
    // No request is refused because a busy machine took longer than half a second.
    Budget patient = Budget.ofAgent(LIMIT, false, TimeUnit.MINUTES.toNanos(1));
    DirectMemory memory = new DirectMemory(patient, checked);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int seed = i;
      Thread.Builder builder = i % 3 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
      threads.add(
          builder.start(
              () -> {
                try {
                  allocateAndDrop(memory, new SplittableRandom(seed));
                } catch (Throwable failure) {
                  failures.add(failure);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    Collected.await("everything", () -> memory.reserved() == 0);
    assertThat(checked.violations()).isEmpty();
    assertThat(checked.bytes()).isZero();
    assertThat(checked.blocks()).isZero();
    assertThat(checked.mostBytes()).isBetween((long) LIMIT / 2, (long) LIMIT);
    assertThat(Blocks.count(memory)).isZero();
  }

  private static void allocateAndDrop(DirectMemory memory, SplittableRandom random) {
    for (int i = 0; i < 1500; i++) {
      // Half of them of few sizes, so that malloc has the same addresses served again.
      int byteSize =
          random.nextBoolean() ? random.nextInt(1, 5) * 4096 : random.nextInt(1, LARGEST);
      MemorySegment segment =
          random.nextInt(8) == 0
              ? memory.ofAuto().allocate(byteSize)
              : memory.allocate(byteSize, 1L << random.nextInt(8));
      checkZeroAndFill(segment);
      if (random.nextInt(4) == 0 && segment.scope().isAlive()) {
        freeOrLeave(memory, segment);
      }
    }
  }

  private static void checkZeroAndFill(MemorySegment segment) {
    for (long offset = 0; offset < segment.byteSize(); offset++) {
      if (segment.get(ValueLayout.JAVA_BYTE, offset) != 0) {
        throw new AssertionError("not zero at " + offset + ": " + segment);
      }
    }
    segment.fill((byte) 1);
  }

  /** Those of automatic arenas can't be freed by hand. */
  private static void freeOrLeave(DirectMemory memory, MemorySegment segment) {
    try {
      memory.free(segment);
    } catch (IllegalArgumentException automatic) {
      segment.fill((byte) 2);
    }
  }

  /** At each of the last frames of a stack: memory may be lost there, but is in one hand only. */
  @Test
  void memoryIsInOneHandAndZeroWhereAStackEnds() throws Exception {
    DirectMemory memory = DirectMemory.ofLimit(1 << 30);
    AtEndOfStack end = new AtEndOfStack(memory);
    for (int i = 0; i < 1000; i++) {
      end.attempt(); // initializes classes where there is stack
    }
    Thread small = new Thread(null, end, "small stack", 256 << 10);
    small.start();
    small.join();
    assertThat(end.failures).isEmpty();
    assertThat(memory.reserved()).isBetween(0L, memory.limit());
    for (MemorySegment segment : end.live) {
      if (segment != null) {
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(segment.address());
      }
    }
  }

  private static final class AtEndOfStack implements Runnable {
    private static final int FRAMES = 400;
    private static final int ROUNDS = 100;
    private static final int[] BYTE_SIZES = {8, 5000, 70_000, 300_000};

    private final DirectMemory memory;
    private final MemorySegment[] live = new MemorySegment[64];
    private final List<String> failures = new ArrayList<>();
    private int attempts;

    AtEndOfStack(DirectMemory memory) {
      this.memory = memory;
    }

    @Override
    public void run() {
      for (int round = 0; round < ROUNDS; round++) {
        descend();
      }
    }

    private int descend() {
      int above = 0;
      try {
        above = descend();
      } catch (StackOverflowError end) {
        above = 0;
      }
      if (above < FRAMES) {
        try {
          attempt();
        } catch (StackOverflowError again) {
          return above + 1;
        }
      }
      return above + 1;
    }

    /** Frees the segment of a place, and then allocates another one there. */
    void attempt() {
      int at = attempts++ % live.length;
      MemorySegment old = live[at];
      live[at] = null; // not to be freed again if the stack ends
      if (old != null) {
        if (old.get(ValueLayout.JAVA_LONG, 0) != old.address()) {
          failures.add("written to by another owner");
        }
        memory.free(old);
      }
      MemorySegment made = memory.allocate(BYTE_SIZES[attempts % BYTE_SIZES.length], 8);
      if (made.get(ValueLayout.JAVA_LONG, 0) != 0) {
        failures.add("not zero");
      }
      made.set(ValueLayout.JAVA_LONG, 0, made.address());
      live[at] = made;
    }
  }
}
