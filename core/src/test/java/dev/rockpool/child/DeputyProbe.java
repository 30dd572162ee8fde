package dev.rockpool.child;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.call.CallState;
import dev.rockpool.call.Failure;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program without native access wants to call {@code rand}, and hands all that takes to each
 * public method of Rockpool, which has native access, in the hope of a handle.
 */
@SuppressWarnings("restricted")
final class DeputyProbe {
  private static final MemorySegment RAND =
      Linker.nativeLinker().defaultLookup().findOrThrow("rand");
  private static final FunctionDescriptor NO_ARGUMENTS = FunctionDescriptor.of(JAVA_INT);

  /** An argument for each type of parameter. */
  private static final Map<Class<?>, Object> ARGUMENTS =
      Map.of(
          MemorySegment.class,
          RAND,
          FunctionDescriptor.class,
          NO_ARGUMENTS,
          Linker.Option[].class,
          new Linker.Option[0],
          Failure.class,
          Failure.NEGATIVE,
          String.class,
          "rand");

  private DeputyProbe() {}

  public static void main(String[] args) throws Throwable {
    System.out.println("own=" + own());
    List<String> deputies = new ArrayList<>();
    for (Class<?> type : PublicTypes.ofRockpool()) {
      for (Method method : type.getMethods()) {
        if (isCallable(method) && isGetpid(result(method))) {
          deputies.add(method.getName());
        }
      }
    }
    System.out.println("deputies=" + deputies.stream().sorted().toList());
  }

  private static String own() {
    try {
      Linker.nativeLinker().downcallHandle(RAND, NO_ARGUMENTS, CallState.ERRNO.option());
      return "linked";
    } catch (IllegalCallerException denied) {
      return "denied";
    }
  }

  private static boolean isCallable(Method method) {
    return MethodHandle.class.isAssignableFrom(method.getReturnType())
        && (Modifier.isStatic(method.getModifiers())
            || method.getDeclaringClass() == CallState.class)
        && ARGUMENTS.keySet().containsAll(List.of(method.getParameterTypes()));
  }

  private static MethodHandle result(Method method) throws ReflectiveOperationException {
    Object[] arguments = List.of(method.getParameterTypes()).stream().map(ARGUMENTS::get).toArray();
    try {
      return (MethodHandle) method.invoke(CallState.ERRNO, arguments);
    } catch (InvocationTargetException refused) {
      return null;
    }
  }

  private static boolean isGetpid(MethodHandle handle) throws Throwable {
    if (handle == null) {
      return false;
    }
    Object pid =
        handle.type().parameterCount() == 0
            ? handle.invoke()
            : handle.invoke(Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));
    return pid.equals((int) ProcessHandle.current().pid());
  }
}
