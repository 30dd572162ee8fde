package dev.rockpool.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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

  /**
   * An object for the JDK to hold instead of {@code target}.
   *
   * @param type an interface of the JDK
   * @return passes each call on to {@code target}, or is {@code target} itself; throws a {@link
   *     NullPointerException} once that is gone
   */
  public static <T> T weakly(Class<T> type, T target) {
    if (STAYS) {
      return target;
    }
    InvocationHandler handler =
        MethodHandleProxies.asInterfaceInstance(InvocationHandler.class, passOnTo(target));
    ClassLoader jdk = ClassLoader.getPlatformClassLoader();
    return type.cast(Proxy.newProxyInstance(jdk, new Class<?>[] {type}, handler));
  }

  /** {@code (proxy, method, arguments) -> method.invoke(target, arguments)}, held weakly. */
  private static MethodHandle passOnTo(Object target) {
    MethodHandle invoke =
        method(Method.class, "invoke", Object.class, Object.class, Object[].class);
    MethodHandle passOn =
        MethodHandles.dropArguments(
            MethodHandles.foldArguments(invoke, 1, referent(target, Object.class)),
            0,
            Object.class);
    MethodHandle rethrowCause =
        MethodHandles.filterArguments(
            MethodHandles.throwException(Object.class, Throwable.class),
            0,
            method(InvocationTargetException.class, "getCause", Throwable.class));
    return MethodHandles.catchException(passOn, InvocationTargetException.class, rethrowCause);
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
    MethodHandle isThere =
        staticMethod(Objects.class, "nonNull", boolean.class, Object.class)
            .asType(MethodType.methodType(boolean.class, BooleanSupplier.class));
    MethodHandle ifThere =
        MethodHandles.guardWithTest(
            isThere,
            method(BooleanSupplier.class, "getAsBoolean", boolean.class),
            MethodHandles.empty(isThere.type()));
    MethodHandle pause = staticMethod(LockSupport.class, "parkNanos", void.class, long.class);
    MethodHandle loop =
        MethodHandles.doWhileLoop(
            null,
            MethodHandles.insertArguments(pause, 0, pauseNanos),
            MethodHandles.filterReturnValue(referent(round, BooleanSupplier.class), ifThere));
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
