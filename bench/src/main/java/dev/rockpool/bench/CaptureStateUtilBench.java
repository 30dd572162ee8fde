package dev.rockpool.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.call.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * A call of a function that succeeds (0), or fails (-1) and leaves a code in {@code errno}: "the
 * result, or the negated code" by different ways. {@code captureStateUtil} is the adapter that the
 * JDK has for itself, and {@code preallocated} the plain handle, with a segment that is made once.
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

  @Param({"0", "-1"})
  public int result;

  private int code = 2; // ENOENT

  private int call(MemorySegment captured) throws Throwable {
    int returned = (int) HANDLE.invokeExact(captured, result, code);
    return returned >= 0 ? returned : -captured.get(JAVA_INT, 0);
  }

  @Benchmark
  public int preallocated() throws Throwable {
    return call(MADE_ONCE);
  }

  @Benchmark
  public int confinedArena() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return call(arena.allocate(JAVA_INT));
    }
  }

  @Benchmark
  public int callState() throws Throwable {
    return (int) Adapted.HANDLE.invokeExact(result, code);
  }

  @Benchmark
  public int captureStateUtil() throws Throwable {
    return (int) AdaptedByJdk.HANDLE.invokeExact(result, code);
  }
}
