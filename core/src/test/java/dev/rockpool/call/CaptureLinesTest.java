package dev.rockpool.call;

import static dev.rockpool.call.CallState.ERRNO;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.ThreadKind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One line for a thread is enough, and each thread finds its own. */
@SuppressWarnings("restricted")
class CaptureLinesTest {
  private static final MethodHandle INT_WITH = ERRNO.adapt(TestLibrary.INT_WITH);
  private static final MethodHandle INT_AFTER = ERRNO.adapt(TestLibrary.INT_AFTER);
  private static final MemorySegment CALLBACK = callback();
  private static final int DEPTH = 16;

  private static MemorySegment callback() {
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup()
                  .findStatic(
                      CaptureLinesTest.class,
                      "nested",
                      MethodType.methodType(int.class, int.class)),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT),
              Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Fails with code {@code depth}, having called back itself. Returns 0 if all was right. */
  private static int nested(int depth) {
    try {
      Thread.yield(); // pinned here, so others must not get in between
      if ((int) INT_WITH.invokeExact(-1, 1000 + depth) != -1000 - depth) {
        return -1_000_000;
      }
      return depth == 0 || call(depth) == -depth ? 0 : -2_000_000;
    } catch (Throwable e) {
      return -3_000_000;
    }
  }

  private static int call(int depth) throws Throwable {
    return (int) INT_AFTER.invokeExact(CALLBACK, depth - 1, -1, depth);
  }

  /** Each level has its own code, although all share a line, and inner ones fail in between. */
  @ParameterizedTest
  @EnumSource
  void callsThatNestThroughUpcalls(ThreadKind kind) throws Throwable {
    kind.run(
        () -> {
          for (int i = 0; i < 3; i++) {
            assertThat(call(DEPTH)).isEqualTo(-DEPTH);
          }
        });
  }

  /** The same on many at once. */
  @ParameterizedTest
  @EnumSource
  void callsThatNestOnManyThreads(ThreadKind kind) throws Throwable {
    int threads = kind == ThreadKind.VIRTUAL ? 500 : 16;
    int rounds = 2000 / threads;
    AtomicInteger right = new AtomicInteger();
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      started.add(kind.start(() -> countNested(rounds, right)));
    }
    joinAll(started);
    assertThat(right).hasValue(threads * rounds);
  }

  private static void countNested(int rounds, AtomicInteger right) {
    try {
      for (int round = 0; round < rounds; round++) {
        if (call(DEPTH) == -DEPTH) {
          right.incrementAndGet();
        }
        Thread.yield();
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** A line for one platform thread, none for a thousand virtual ones. */
  @Test
  void oneLineForAThread() throws Throwable {
    ThreadKind.PLATFORM.run(
        () -> {
          int before = CaptureLines.owned();
          assertThat((int) INT_WITH.invokeExact(-1, 2)).isEqualTo(-2);
          assertThat(CaptureLines.isFirstChoice(Thread.currentThread())).isTrue();
          assertThat(call(DEPTH)).isEqualTo(-DEPTH);
          assertThat(CaptureLines.owned()).isLessThanOrEqualTo(before + 1);
        });
    int before = CaptureLines.owned();
    for (int i = 0; i < 1000; i++) {
      ThreadKind.VIRTUAL.run(() -> assertThat((int) INT_WITH.invokeExact(-1, 2)).isEqualTo(-2));
    }
    int carriers = Runtime.getRuntime().availableProcessors() + 1;
    assertThat(CaptureLines.owned()).isLessThanOrEqualTo(before + carriers);
  }

  @Test
  void linesOfEndedThreadsAreFree() throws Throwable {
    AtomicReference<Thread> thread = new AtomicReference<>();
    ThreadKind.PLATFORM.run(
        () -> {
          thread.set(Thread.currentThread());
          assertThat((int) INT_WITH.invokeExact(-1, 2)).isEqualTo(-2);
          CaptureLines.releaseOfEnded();
          assertThat(CaptureLines.isFirstChoice(thread.get())).as("alive").isTrue();
        });
    CaptureLines.releaseOfEnded();
    assertThat(CaptureLines.isFirstChoice(thread.get())).as("ended").isFalse();
  }

  /** More threads than lines, all alive: those that find none get their codes all the same. */
  @Test
  void moreThreadsThanLines() throws Throwable {
    int threads = CaptureLines.LINES + 200;
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger right = new AtomicInteger();
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int code = i % 100 + 1;
      started.add(
          Thread.ofPlatform()
              .stackSize(256 << 10)
              .start(
                  () -> {
                    countIfRight(code, right);
                    ready.countDown();
                    await(end);
                    countIfRight(code, right);
                  }));
    }
    ready.await();
    assertThat(CaptureLines.owned()).isLessThanOrEqualTo(CaptureLines.LINES);
    end.countDown();
    joinAll(started);
    assertThat(right).hasValue(2 * threads);
    CaptureLines.releaseOfEnded();
    assertThat(CaptureLines.owned()).isLessThan(threads / 2);
  }

  private static void joinAll(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void countIfRight(int code, AtomicInteger right) {
    try {
      if ((int) INT_WITH.invokeExact(-1, code) == -code) {
        right.incrementAndGet();
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** ThreadKind fail at the same time, each with its own codes, and are moved in between. */
  @ParameterizedTest
  @EnumSource
  void manyThreads(ThreadKind kind) throws Throwable {
    int threads = kind == ThreadKind.VIRTUAL ? 2000 : 32;
    int rounds = 200_000 / threads;
    AtomicInteger right = new AtomicInteger();
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int code = i + 1;
      started.add(
          kind.start(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  countIfRight(code, right);
                  if (round % 10 == 0) {
                    Thread.yield();
                  }
                }
              }));
    }
    joinAll(started);
    assertThat(right).hasValue(threads * rounds);
  }
}
