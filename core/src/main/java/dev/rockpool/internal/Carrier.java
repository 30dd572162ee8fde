package dev.rockpool.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The platform thread that carries the current virtual thread.
 *
 * <p>The JDK has no public way to find the carrier. The JDK's own method is accessible where
 * package java.lang is open to Rockpool. The agent's classes are in java.base, so they always have
 * access. The library needs {@code --add-opens java.base/java.lang=dev.rockpool} (or {@code
 * ALL-UNNAMED}, where Rockpool is on the class path).
 *
 * <p><b>No unmount between finding the carrier and using the carrier's data.</b> The result of
 * {@link #currentId} is valid until the virtual thread is unmounted. There is no time slicing, so a
 * virtual thread is never unmounted at an arbitrary point. It unmounts itself in a method of the
 * JDK that was called to wait: park, sleep, yield, a contended monitor, {@code Object.wait},
 * blocking I/O, and since JDK 26 a class that another thread is initializing.
 *
 * <p>This rule applies to {@code BlockPool.cached} with the take or keep of {@code ThreadBlocks}
 * that follows. Such code reads and writes fields and array elements, plain or atomic, and
 * compares. It calls only methods of ours that do no more, on objects whose existence proves that
 * their classes are initialized. It takes no lock, initializes no class, and calls no method of the
 * JDK that might wait. Code that must do one of these does so before, and then looks for the
 * carrier again.
 */
public final class Carrier {
  /** {@code () -> carrier}; null where java.lang is not open. */
  private static final @Nullable MethodHandle CURRENT = ofTheJdk();

  /** Instead of an id: the carrier can't be reached. No thread has this id. */
  public static final long NONE = 0;

  private Carrier() {}

  /**
   * Returns the id of the platform thread that runs the caller: of the current thread itself, or of
   * its carrier; {@link #NONE} if that can't be reached.
   */
  @ForceInline
  public static long platformThreadId() {
    Thread current = Thread.currentThread();
    if (!current.isVirtual()) {
      return current.threadId();
    }
    return isReachable() ? currentId() : NONE;
  }

  /** Whether {@link #currentId} and {@link #current} may be called. */
  @ForceInline
  public static boolean isReachable() {
    return CURRENT != null;
  }

  /** Returns the id of {@link #current}. */
  @ForceInline
  public static long currentId() {
    return current().threadId();
  }

  /**
   * Returns the carrier of a virtual thread, or a platform thread itself.
   *
   * @throws IllegalStateException if the carrier can't be reached
   */
  @ForceInline
  public static Thread current() {
    if (CURRENT == null) {
      throw new IllegalStateException("java.lang is not open to Rockpool");
    }
    try {
      return (Thread) CURRENT.invokeExact();
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  private static @Nullable MethodHandle ofTheJdk() {
    try {
      MethodHandle current =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
              .findStatic(
                  Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
      // Links the call, which takes locks, while nothing depends on the carrier yet.
      Thread linked = (Thread) current.invokeExact();
      return linked == null ? null : current;
    } catch (ReflectiveOperationException | LinkageError closed) {
      return null;
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }
}
