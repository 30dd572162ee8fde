package dev.rockpool.call;

import static dev.rockpool.call.CallState.ERRNO;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rockpool.arena.PoolAudit;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each call has state of its own, whatever calls are made before, within and after it. */
@SuppressWarnings("restricted")
class CapturingCallTest {
  private static final MethodHandle INT_WITH = ERRNO.adapt(TestLibrary.INT_WITH);
  private static final MethodHandle INT_AFTER = ERRNO.adapt(TestLibrary.INT_AFTER);
  private static final MemorySegment CALLBACK = callback();
  private static final MethodHandle FILTER = own("sameButFailMeanwhile", int.class, int.class);
  private static final int MEANWHILE = 9;

  /** More than a thread keeps blocks. */
  private static final int DEPTH = 16;

  private static MemorySegment callback() {
    return Linker.nativeLinker()
        .upcallStub(
            own("nested", int.class, int.class),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT),
            Arena.global());
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

  /** Each level has its own code, although inner ones fail in between, and no blocks are left. */
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

  /** Makes an adapted call that fails with a code of its own. */
  private static void failMeanwhile() throws Throwable {
    int failed = (int) INT_WITH.invokeExact(-1, MEANWHILE);
    assertThat(failed).isEqualTo(-MEANWHILE);
  }

  @SuppressWarnings("UnusedMethod") // a filter
  private static int sameButFailMeanwhile(int value) throws Throwable {
    failMeanwhile();
    return value;
  }

  private static MethodHandle own(String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.lookup()
          .findStatic(CapturingCallTest.class, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** The filter's call is made between the return of the function and the look at its code. */
  @ParameterizedTest
  @EnumSource
  void aFilterOfTheResultThatMakesCalls(ThreadKind kind) throws Throwable {
    MethodHandle filtered =
        ERRNO.adapt(MethodHandles.filterReturnValue(TestLibrary.INT_WITH, FILTER));
    kind.run(
        () -> {
          for (int i = 0; i < 3; i++) {
            assertThat((int) filtered.invokeExact(-1, 2)).isEqualTo(-2);
          }
        });
  }

  @SuppressWarnings("UnusedMethod") // a target that is no native function
  private static int leak(MemorySegment captured, MemorySegment[] leaked) {
    leaked[0] = captured;
    return 0;
  }

  /** A segment that came to be known outside can't be used when the call is over. */
  @ParameterizedTest
  @EnumSource
  void stateIsOutOfReachAfterTheCall(ThreadKind kind) throws Throwable {
    MethodHandle adapted =
        ERRNO.adapt(own("leak", int.class, MemorySegment.class, MemorySegment[].class));
    kind.run(
        () -> {
          MemorySegment[] leaked = new MemorySegment[1];
          assertThat((int) adapted.invokeExact(leaked)).isZero();
          assertThatIllegalStateException().isThrownBy(() -> leaked[0].get(JAVA_INT, 0));
        });
  }

  @SuppressWarnings("UnusedMethod") // a target that is no native function
  private static int refuse(MemorySegment captured) {
    captured.fill((byte) 1);
    throw new IllegalArgumentException("mine");
  }

  /** Whether calls succeed, fail or throw: afterwards the next ones find kept memory. */
  @ParameterizedTest
  @EnumSource
  void memoryIsGivenBack(ThreadKind kind) throws Throwable {
    MethodHandle refusing = ERRNO.adapt(own("refuse", int.class, MemorySegment.class));
    MethodHandle checked = ERRNO.check(TestLibrary.INT_WITH, "int_with");
    kind.run(
        () -> {
          for (int i = 0; i < 20; i++) {
            assertThatIllegalArgumentException().isThrownBy(refusing::invoke);
            assertThatExceptionOfType(NativeCallException.class)
                .isThrownBy(() -> checked.invoke(-1, 2));
            assertThat((int) INT_WITH.invokeExact(-1, 2)).isEqualTo(-2);
            assertThat((int) INT_WITH.invokeExact(1, 2)).isEqualTo(1);
          }
          PoolAudit.checkAtRest();
        });
  }

  private static void joinAll(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
