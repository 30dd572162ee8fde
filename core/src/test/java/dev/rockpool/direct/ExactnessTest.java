package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
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
    DirectMemory memory = checked.ofLimit(LIMIT);
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
    CheckingMemory.giveUpKept(memory);
    assertThat(checked.violations()).isEmpty();
    assertThat(checked.bytes()).isZero();
    assertThat(checked.blocks()).isZero();
    assertThat(checked.mostBytes()).isBetween((long) LIMIT / 2, (long) LIMIT);
    assertThat(memory.blocks()).isZero();
  }

  private static void allocateAndDrop(DirectMemory memory, SplittableRandom random) {
    for (int i = 0; i < 1500; i++) {
      // Half of them of few sizes, so that blocks are kept, found, and in the way of the others.
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

  /** The proof that the checks can fail. */
  @Test
  void checksNoticeWhatTheyAreFor() {
    CheckingMemory checked = new CheckingMemory();
    long beyond = checked.allocateZeroed(100);
    CheckingMemory.raw(beyond, 101).set(ValueLayout.JAVA_BYTE, 100, (byte) 1);
    checked.free(beyond, 100);
    long before = checked.allocateZeroed(100);
    CheckingMemory.raw(before - 1, 1).fill((byte) 1);
    checked.free(before, 100);
    long late = checked.allocateZeroed(100);
    checked.free(late, 100);
    checked.free(late, 100);
    CheckingMemory.raw(late, 1).fill((byte) 1);
    assertThat(checked.violations())
        .satisfiesExactly(
            one -> assertThat(one).startsWith("guard behind was written to"),
            two -> assertThat(two).startsWith("guard before was written to"),
            three -> assertThat(three).startsWith("freed 100 bytes at " + late),
            four -> assertThat(four).startsWith("freed memory was written to at byte 0"));
  }

  @Test
  void arenasCountInTheSameSum() throws Exception {
    DirectMemory memory = DirectMemory.ofLimit(LIMIT);
    CountDownLatch done = new CountDownLatch(4);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < 4; i++) {
      boolean confined = i % 2 == 0;
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  for (int n = 0; n < 3000; n++) {
                    try (Arena arena = confined ? memory.ofConfined() : memory.ofShared()) {
                      arena.allocate(LIMIT / 3);
                      if (memory.reserved() > memory.limit()) {
                        throw new AssertionError(memory);
                      }
                    }
                    n += confined ? 0 : 20;
                  }
                } catch (Throwable failure) {
                  failures.add(failure);
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
    assertThat(failures).isEmpty();
    assertThat(memory.reserved()).isZero();
  }
}
