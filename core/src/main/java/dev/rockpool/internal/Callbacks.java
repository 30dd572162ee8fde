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
 * Wraps objects that the JDK holds and calls for as long as the JVM runs: the task of a thread, an
 * MBean, a hook of JDK Flight Recorder.
 *
 * <p>An object keeps its class reachable, and a class its loader. In a web server, the loader keeps
 * a whole undeployed application reachable. So where our class loader may be unloaded before the
 * JVM ends, the JDK gets objects of JDK classes that hold ours weakly. On a thread that pauses,
 * each frame is the JDK's, too. Our own objects stay reachable through our static fields.
 */
public final class Callbacks {
  /** Whether our class loader lives as long as the JVM: then objects are handed over unwrapped. */
  private static final boolean STAYS = stays(Callbacks.class.getClassLoader());

  private Callbacks() {}

  /** Returns true for the boot loader (the agent's), the system loader, and its parents. */
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

  public static boolean arePlain() {
    return STAYS;
  }

  /**
   * Returns an object for the JDK to hold instead of {@code target}.
   *
   * @param type an interface of the JDK, whose methods return objects or nothing
   * @param more further interfaces of the JDK to implement, which nobody calls
   * @return {@code target} itself, or a proxy that passes each call on; once {@code target} is
   *     collected, a call of the proxy does nothing and returns null
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
   * .invokeWithArguments(arguments)}. {@code Method.invoke} would be shorter, but a handle to this
   * caller-sensitive method is bound to our class.
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

  /** Returns an empty array for null, which the proxy passes for a method without parameters. */
  private static MethodHandle noneForNull() {
    MethodHandle orElse =
        staticMethod(Objects.class, "requireNonNullElse", Object.class, Object.class, Object.class);
    return MethodHandles.insertArguments(orElse, 1, (Object) new Object[0])
        .asType(MethodType.methodType(Object[].class, Object[].class));
  }

  /** Returns {@code call}, guarded: for a null first argument it returns null or false. */
  private static MethodHandle ifThere(MethodHandle call) {
    MethodHandle isThere = staticMethod(Objects.class, "nonNull", boolean.class, Object.class);
    return MethodHandles.guardWithTest(
        isThere.asType(isThere.type().changeParameterType(0, call.type().parameterType(0))),
        call,
        MethodHandles.empty(call.type()));
  }

  /**
   * Returns the task of a thread that alternates a pause and a round, until {@code round} returns
   * false or is collected, or memory runs out. A wakeup may be early; {@code round} throws nothing.
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

  /** Does the same as {@link Rounds#run}, but in frames of the JDK only. */
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

  /** {@code () -> target}, or null once {@code target} is collected. */
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
