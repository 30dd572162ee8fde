package dev.rockpool.child;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.call.CallState;
import dev.rockpool.call.Failure;
import dev.rockpool.call.NativeCallException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Prints what becomes of a call that fails, on both kinds of threads; the target is no native one.
 */
final class CallProbe {
  private static final int ENOENT = 2;
  private static final int ROUNDS = 3;
  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private CallProbe() {}

  public static void main(String[] args) throws Throwable {
    MethodHandle target =
        MethodHandles.lookup()
            .findStatic(
                CallProbe.class, "target", MethodType.methodType(int.class, MemorySegment.class));
    MethodHandle adapted = CallState.ERRNO.adapt(target);
    System.out.println("platform=" + results(adapted));
    Thread.ofVirtual().start(() -> System.out.println("virtual=" + results(adapted))).join();
    try {
      int result = (int) CallState.ERRNO.check(target, Failure.NEGATIVE).invokeExact();
      System.out.println("check=" + result);
    } catch (NativeCallException failure) {
      System.out.println("check=" + failure.name() + " " + !failure.text().isEmpty());
    }
    System.out.println("link=" + link());
  }

  private static int target(MemorySegment captured) {
    int before = captured.get(JAVA_INT, ERRNO);
    captured.set(JAVA_INT, ERRNO, ENOENT);
    return -1 - before;
  }

  private static String results(MethodHandle adapted) {
    StringBuilder results = new StringBuilder();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        results.append((int) adapted.invokeExact()).append(' ');
      }
    } catch (Throwable failure) {
      results.append(failure);
    }
    return results.toString().strip();
  }

  @SuppressWarnings("restricted")
  private static String link() {
    try {
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("rand"),
              FunctionDescriptor.of(JAVA_INT),
              CallState.ERRNO.option());
      return "linked";
    } catch (IllegalCallerException denied) {
      return "denied";
    }
  }
}
