package dev.rockpool.clients;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Frees direct buffers by hand, as programs do it: {@code Unsafe.invokeCleaner}, by reflection. */
final class Cleaning {
  private static final Object UNSAFE;
  private static final Method METHOD;
  private static final MethodHandle HANDLE;

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      UNSAFE = field.get(null);
      METHOD = type.getMethod("invokeCleaner", ByteBuffer.class);
      HANDLE = MethodHandles.lookup().unreflect(METHOD).bindTo(UNSAFE);
    } catch (ReflectiveOperationException failure) {
      throw new ExceptionInInitializerError(failure);
    }
  }

  private Cleaning() {}

  static void free(ByteBuffer buffer) {
    try {
      METHOD.invoke(UNSAFE, buffer);
    } catch (ReflectiveOperationException failure) {
      throw new AssertionError(failure);
    }
  }

  private static void freeByHandle(ByteBuffer buffer) {
    try {
      HANDLE.invokeExact(buffer);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** Fresh buffers, wherever they are at; one a second time; and what can't be freed. */
  static String ways(Path folder) throws Exception {
    ByteBuffer live = Clients.buffer(100).put(0, (byte) 1);
    for (int i = 0; i < 100; i++) {
      free(ByteBuffer.allocateDirect(i).position(i));
      freeByHandle(ByteBuffer.allocateDirect(i));
    }
    ByteBuffer twice = ByteBuffer.allocateDirect(10);
    free(twice);
    free(twice);
    return refusal(live.slice())
        + refusal(live.slice(10, 10))
        + refusal(live.duplicate())
        + refusal(live.asReadOnlyBuffer())
        + refusal(ByteBuffer.allocate(1))
        + refusal(null)
        + live.get(0);
  }

  private static String refusal(ByteBuffer buffer) throws IllegalAccessException {
    try {
      METHOD.invoke(UNSAFE, buffer);
      return "accepted; ";
    } catch (InvocationTargetException refused) {
      return refused.getCause() + "; ";
    }
  }
}
