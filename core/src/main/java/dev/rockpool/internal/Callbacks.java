package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wraps objects that the JDK holds and calls for as long as the JVM runs: a background task, an
 * MBean, a hook of JDK Flight Recorder.
 *
 * <p>An object keeps its class reachable, and a class its loader. In a web server, the loader keeps
 * a whole undeployed application reachable. So where Rockpool's class loader may be unloaded before
 * the JVM ends, the JDK gets objects of JDK classes that hold Rockpool's weakly. These are combined
 * from method handles, because a lambda would be of a class of Rockpool.
 */
public final class Callbacks {
  /** Whether Rockpool's loader lives as long as the JVM: then objects are handed over unwrapped. */
  private static final boolean STAYS = isPermanent(Callbacks.class.getClassLoader());

  /** What the JDK holds weakly; reachable as long as Rockpool's loader is. */
  private static final Queue<Object> HELD = new ConcurrentLinkedQueue<>();

  private Callbacks() {}

  /** Returns true for the boot loader (the agent's), the system loader, and its parents. */
  private static boolean isPermanent(@Nullable ClassLoader loader) {
    ClassLoader permanent = ClassLoader.getSystemClassLoader();
    while (permanent != null && !permanent.equals(loader)) {
      permanent = permanent.getParent();
    }
    return loader == null || permanent != null;
  }

  public static boolean arePlain() {
    return STAYS;
  }

  /**
   * Returns an object for the JDK to hold instead of {@code target}.
   *
   * @param type an interface of the JDK, whose methods return objects or nothing
   * @return {@code target} itself, or a proxy that passes each call on; once {@code target} is
   *     collected, a call of the proxy does nothing and returns null
   */
  public static <T> T weakly(Class<T> type, T target) {
    if (STAYS) {
      return target;
    }
    InvocationHandler held = new PassingOn(target);
    HELD.add(held);
    MethodHandle invoke =
        handle(InvocationHandler.class, "invoke", Object.class, Method.class, Object[].class);
    MethodHandle isThere = handle(Objects.class, "nonNull", Object.class);
    MethodHandle invokeIfThere =
        MethodHandles.guardWithTest(
            isThere.asType(MethodType.methodType(boolean.class, InvocationHandler.class)),
            invoke,
            MethodHandles.empty(invoke.type()));
    InvocationHandler handler =
        MethodHandleProxies.asInterfaceInstance(
            InvocationHandler.class,
            MethodHandles.foldArguments(invokeIfThere, referent(held, InvocationHandler.class)));
    Class<?>[] types = {type};
    return type.cast(Proxy.newProxyInstance(ClassLoader.getPlatformClassLoader(), types, handler));
  }

  private record PassingOn(Object target) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }
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
   * Returns a set of addresses for each of which the JDK calls {@code free} once Rockpool's loader
   * is collected. The JDK's cleaner has the set and the handle, and nothing of Rockpool's.
   *
   * @param free takes a long
   */
  @SuppressWarnings({"restricted", "unchecked"})
  public static Set<Long> freeAtUnload(MethodHandle free) {
    Set<Long> addresses = ConcurrentHashMap.newKeySet();
    Consumer<?> freeOne =
        MethodHandleProxies.asInterfaceInstance(
            Consumer.class, free.asType(MethodType.methodType(void.class, Object.class)));
    MethodHandle freeAll =
        MethodHandles.insertArguments(
            handle(Iterable.class, "forEach", Consumer.class), 0, addresses, freeOne);
    Arena loader = Arena.ofAuto();
    MemorySegment.NULL.reinterpret(
        loader,
        (Consumer<MemorySegment>)
            MethodHandleProxies.asInterfaceInstance(
                Consumer.class, MethodHandles.dropArguments(freeAll, 0, Object.class)));
    HELD.add(loader);
    return addresses;
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
