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
import org.jspecify.annotations.Nullable;

/**
 * Wraps objects that the JDK holds and calls for as long as the JVM runs: a background task, an
 * MBean, a hook of JDK Flight Recorder.
 *
 * <p>An object keeps its class reachable, and a class its loader. In a web server, the loader keeps
 * a whole undeployed application reachable. So where our class loader may be unloaded before the
 * JVM ends, the JDK gets objects of JDK classes that hold ours weakly. These are combined from
 * method handles, because a lambda would be of a class of ours. Our own objects stay reachable
 * through our static fields.
 */
public final class Callbacks {
  /** Whether our class loader lives as long as the JVM: then objects are handed over unwrapped. */
  private static final boolean STAYS = stays(Callbacks.class.getClassLoader());

  private Callbacks() {}

  /** Returns true for the boot loader (the agent's), the system loader, and its parents. */
  private static boolean stays(@Nullable ClassLoader ours) {
    ClassLoader permanent = ClassLoader.getSystemClassLoader();
    while (permanent != null && !permanent.equals(ours)) {
      permanent = permanent.getParent();
    }
    return ours == null || permanent != null;
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
   * Returns a task for the JDK to hold instead of {@code target}: {@code target} itself, or one
   * that runs it until it is collected, and then throws a {@link NullPointerException}.
   */
  static Runnable untilCollected(Runnable target) {
    return STAYS
        ? target
        : MethodHandleProxies.asInterfaceInstance(
            Runnable.class,
            MethodHandles.filterReturnValue(
                referent(target, Runnable.class), handle(Runnable.class, "run")));
  }

  /**
   * Returns an invocation handler {@code (proxy, method, arguments) -> lookup.unreflect(method)
   * .bindTo(target).invokeWithArguments(arguments)}, or null once the target is collected. {@code
   * Method.invoke} would be shorter, but a handle of this caller-sensitive method is bound to our
   * class.
   */
  private static MethodHandle passOnTo(Object target) {
    MethodHandle invoke = handle(MethodHandle.class, "invokeWithArguments", Object[].class);
    MethodHandle bind = handle(MethodHandle.class, "bindTo", Object.class);
    MethodHandle unreflect =
        handle(Lookup.class, "unreflect", Method.class).bindTo(MethodHandles.publicLookup());
    // The proxy passes null for a method without parameters.
    MethodHandle noneForNull =
        MethodHandles.insertArguments(
            handle(Objects.class, "requireNonNullElse", Object.class, Object.class),
            1,
            (Object) new Object[0]);
    MethodHandle call =
        MethodHandles.filterArguments(
            MethodHandles.collectArguments(invoke.asFixedArity(), 0, bind),
            0,
            unreflect,
            null,
            noneForNull.asType(MethodType.methodType(Object[].class, Object[].class)));
    MethodType type =
        MethodType.methodType(Object.class, Object.class, Method.class, Object[].class);
    MethodHandle ifThere =
        MethodHandles.guardWithTest(
            handle(Objects.class, "nonNull", Object.class),
            MethodHandles.permuteArguments(call, type, 1, 0, 2),
            MethodHandles.empty(type));
    return MethodHandles.dropArguments(
        MethodHandles.foldArguments(ifThere, referent(target, Object.class)), 0, Object.class);
  }

  /** {@code () -> target}, or null once {@code target} is collected. */
  private static MethodHandle referent(Object target, Class<?> type) {
    return handle(WeakReference.class, "get")
        .bindTo(new WeakReference<>(target))
        .asType(MethodType.methodType(type));
  }

  private static MethodHandle handle(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup().unreflect(owner.getMethod(name, parameters));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
