package dev.rockpool.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects that the JDK holds and calls for as long as it runs: the task of a thread, an MBean, a
 * hook of JDK Flight Recorder.
 *
 * <p>An object keeps its class reachable, a class its loader, and that loader, in a web server, a
 * whole application that was taken out. So where our class loader may go before the JVM does, the
 * JDK gets objects of its own classes, which hold ours weakly. On a thread that pauses each frame
 * is the JDK's, too. We have to hold our objects ourselves, in static fields.
 */
public final class Callbacks {
  /**
   * Whether our class loader lives as long as the JVM: then objects are handed over as they are.
   */
  private static final boolean STAYS = stays(Callbacks.class.getClassLoader());

  private Callbacks() {}

  /** True of the boot loader, as under the agent, of the system's, and of those that it asks. */
  private static boolean stays(@Nullable ClassLoader ours) {
    if (ours == null) {
      return true;
    }
    ClassLoader permanent = ClassLoader.getSystemClassLoader();
    while (permanent != null && !permanent.equals(ours)) {
      permanent = permanent.getParent();
    }
    return permanent != null;
  }

  /** Whether objects of ours may be handed over as they are. */
  public static boolean arePlain() {
    return STAYS;
  }

  /**
   * An object for the JDK to hold instead of {@code target}.
   *
   * @param type an interface of the JDK, whose methods return objects or nothing
   * @param more interfaces of the JDK that it has, too, and nobody calls
   * @return passes each call on to {@code target}, or is {@code target} itself; once that is gone,
   *     a call does nothing and returns null
   */
  public static <T> T weakly(Class<T> type, T target, Class<?>... more) {
    if (STAYS) {
      return target;
    }
    Class<?>[] types = Arrays.copyOf(more, more.length + 1);
    types[more.length] = type;
    InvocationHandler handler =
        MethodHandleProxies.asInterfaceInstance(InvocationHandler.class, passOnTo(target));
    return type.cast(Proxy.newProxyInstance(ClassLoader.getPlatformClassLoader(), types, handler));
  }

  /**
   * {@code (proxy, method, arguments) -> lookup.unreflect(method).bindTo(target)
   * .invokeWithArguments(arguments)}. {@code Method.invoke} would be shorter, and bound to us.
   */
  private static MethodHandle passOnTo(Object target) {
    MethodHandle unreflect =
        method(Lookup.class, "unreflect", MethodHandle.class, Method.class)
            .bindTo(MethodHandles.publicLookup());
    MethodHandle bind =
        MethodHandles.filterArguments(
            method(MethodHandle.class, "bindTo", MethodHandle.class, Object.class), 0, unreflect);
    MethodHandle call =
        MethodHandles.filterArguments(
            MethodHandles.collectArguments(
                method(MethodHandle.class, "invokeWithArguments", Object.class, Object[].class),
                0,
                bind),
            2,
            noneForNull());
    MethodHandle callOnTarget =
        MethodHandles.permuteArguments(
            call,
            MethodType.methodType(Object.class, Object.class, Method.class, Object[].class),
            1,
            0,
            2);
    return MethodHandles.dropArguments(
        MethodHandles.foldArguments(ifThere(callOnTarget), referent(target, Object.class)),
        0,
        Object.class);
  }

  /** A method without parameters has null instead of its arguments. */
  private static MethodHandle noneForNull() {
    MethodHandle orElse =
        staticMethod(Objects.class, "requireNonNullElse", Object.class, Object.class, Object.class);
    return MethodHandles.insertArguments(orElse, 1, (Object) new Object[0])
        .asType(MethodType.methodType(Object[].class, Object[].class));
  }

  /** Does nothing, and returns null or false, if its first argument is null. */
  private static MethodHandle ifThere(MethodHandle call) {
    MethodHandle isThere = staticMethod(Objects.class, "nonNull", boolean.class, Object.class);
    return MethodHandles.guardWithTest(
        isThere.asType(isThere.type().changeParameterType(0, call.type().parameterType(0))),
        call,
        MethodHandles.empty(call.type()));
  }

  /**
   * The task of a thread that pauses, then does a round, and so on, as long as {@code round} says
   * so and is reachable. Short of memory, it may end before.
   *
   * @param round may be called too early; throws nothing
   */
  static Runnable rounds(BooleanSupplier round, long pauseNanos) {
    return STAYS
        ? new Rounds(round, pauseNanos)
        : MethodHandleProxies.asInterfaceInstance(Runnable.class, loop(round, pauseNanos));
  }

  private record Rounds(BooleanSupplier round, long pauseNanos) implements Runnable {
    @Override
    public void run() {
      do {
        LockSupport.parkNanos(pauseNanos);
      } while (round.getAsBoolean());
    }
  }

  /** As {@link Rounds#run}, in frames of the JDK. */
  private static MethodHandle loop(BooleanSupplier round, long pauseNanos) {
    MethodHandle doRound = ifThere(method(BooleanSupplier.class, "getAsBoolean", boolean.class));
    MethodHandle pause = staticMethod(LockSupport.class, "parkNanos", void.class, long.class);
    MethodHandle loop =
        MethodHandles.doWhileLoop(
            null,
            MethodHandles.insertArguments(pause, 0, pauseNanos),
            MethodHandles.filterReturnValue(referent(round, BooleanSupplier.class), doRound));
    return MethodHandles.catchException(
        loop,
        Throwable.class,
        MethodHandles.empty(MethodType.methodType(void.class, Throwable.class)));
  }

  /** {@code () -> target}, or null if that is gone. */
  private static MethodHandle referent(Object target, Class<?> type) {
    return method(WeakReference.class, "get", Object.class)
        .bindTo(new WeakReference<>(target))
        .asType(MethodType.methodType(type));
  }

  private static MethodHandle method(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(owner, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static MethodHandle staticMethod(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup()
          .findStatic(owner, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
