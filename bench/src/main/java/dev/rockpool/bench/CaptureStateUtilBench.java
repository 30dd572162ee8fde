package dev.rockpool.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.call.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

/**
 * A call of a function that succeeds, or fails and leaves a code in {@code errno}: "the result, or
 * the negated code" by different ways. The names are those of a proposal for the JDK; {@code
 * captureStateUtil} is what the JDK has of it for itself, and {@code preallocated} the handle as it
 * is, with a segment that is made once.
 */
@Fork(
    value = ArenaBenchmark.FORKS,
    jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AT_ONCE, Conditions.EXPORT_FOREIGN})
public class CaptureStateUtilBench extends ArenaBenchmark {
  private static final MethodHandle HANDLE =
      NativeFunctions.downcall(
          "sys_call",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
          Linker.Option.captureCallState("errno"));
  private static final MemorySegment MADE_ONCE =
      Arena.global().allocate(Linker.Option.captureStateLayout());

  /** Apart from the benchmark, so that a JVM makes no more of these than it measures. */
  static final class Adapted {
    static final MethodHandle HANDLE = CallState.ERRNO.adapt(CaptureStateUtilBench.HANDLE);

    private Adapted() {}
  }

  /** The JDK's own adapter. */
  static final class AdaptedByJdk {
    static final MethodHandle HANDLE = adapt();

    private AdaptedByJdk() {}

    private static MethodHandle adapt() {
      try {
        MethodType type =
            MethodType.methodType(MethodHandle.class, MethodHandle.class, String.class);
        MethodHandle adapter =
            MethodHandles.lookup()
                .findStatic(
                    Class.forName("jdk.internal.foreign.CaptureStateUtil"),
                    "adaptSystemCall",
                    type);
        return (MethodHandle) adapter.invokeExact(CaptureStateUtilBench.HANDLE, "errno");
      } catch (Throwable e) {
        throw new IllegalStateException("This JDK has no such adapter, or does not export it", e);
      }
    }
  }

  private int success;
  private int failure = -1;
  private int code = 2; // ENOENT

  @Override
  @Nullable ArenaPool poolOf(String contestant) {
    return contestant.startsWith("tl") ? ArenaPoolBench.Pools.POOL : null;
  }

  private static int orNegatedCode(int result, MemorySegment captured) {
    return result >= 0 ? result : -captured.get(JAVA_INT, 0);
  }

  private static int preallocated(int result, int code) throws Throwable {
    return orNegatedCode((int) HANDLE.invokeExact(MADE_ONCE, result, code), MADE_ONCE);
  }

  private static int explicit(int result, int code) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(JAVA_INT);
      return orNegatedCode((int) HANDLE.invokeExact(captured, result, code), captured);
    }
  }

  private static int pooled(int result, int code) throws Throwable {
    try (Arena arena = ArenaPoolBench.Pools.POOL.take()) {
      MemorySegment captured = arena.allocate(JAVA_INT);
      return orNegatedCode((int) HANDLE.invokeExact(captured, result, code), captured);
    }
  }

  @Benchmark
  public int adaptedSysCallSuccess() throws Throwable {
    return (int) Adapted.HANDLE.invokeExact(success, code);
  }

  @Benchmark
  public int adaptedSysCallFail() throws Throwable {
    return (int) Adapted.HANDLE.invokeExact(failure, code);
  }

  @Benchmark
  public int explicitAllocationSuccess() throws Throwable {
    return explicit(success, code);
  }

  @Benchmark
  public int explicitAllocationFail() throws Throwable {
    return explicit(failure, code);
  }

  @Benchmark
  public int tlAllocationSuccess() throws Throwable {
    return pooled(success, code);
  }

  @Benchmark
  public int tlAllocationFail() throws Throwable {
    return pooled(failure, code);
  }

  @Benchmark
  public int captureStateUtilSuccess() throws Throwable {
    return (int) AdaptedByJdk.HANDLE.invokeExact(success, code);
  }

  @Benchmark
  public int captureStateUtilFail() throws Throwable {
    return (int) AdaptedByJdk.HANDLE.invokeExact(failure, code);
  }

  @Benchmark
  public int preallocatedSuccess() throws Throwable {
    return preallocated(success, code);
  }

  @Benchmark
  public int preallocatedFail() throws Throwable {
    return preallocated(failure, code);
  }
}
