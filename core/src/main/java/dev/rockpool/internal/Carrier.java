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
 * ALL-UNNAMED}, where Rockpool is on the class path). Under the agent, the library asks the agent's
 * class for the carrier's id. {@code Thread.toString} of a virtual thread leads to the same number,
 * so the agent's class grants nobody a new power.
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
  private static final String OF_THE_AGENT = "java.lang.foreign.RockpoolCarrier";

  /** {@code () -> carrier}; null where java.lang is not open. */
  private static final @Nullable MethodHandle CURRENT = ofTheJdk();

  /** {@code () -> id of the carrier}; null without the agent, or where java.lang is open. */
  private static final @Nullable MethodHandle CURRENT_ID = CURRENT != null ? null : ofTheAgent();

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
    return CURRENT != null || CURRENT_ID != null;
  }

  /**
   * Returns the id of the carrier of a virtual thread, or the id of a platform thread itself.
   *
   * @throws IllegalStateException if the carrier can't be reached
   */
  @ForceInline
  public static long currentId() {
    try {
      if (CURRENT != null) {
        return ((Thread) CURRENT.invokeExact()).threadId();
      }
      if (CURRENT_ID != null) {
        return (long) CURRENT_ID.invokeExact();
      }
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
    throw new IllegalStateException("java.lang is not open to Rockpool");
  }

  /**
   * Returns the carrier itself; null if it is not found. Slow where only the id is known, from the
   * agent: then all threads are searched.
   *
   * @throws IllegalStateException if the carrier can't be reached
   */
  public static @Nullable Thread current() {
    long id = currentId();
    try {
      return CURRENT != null ? (Thread) CURRENT.invokeExact() : find(id);
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  private static @Nullable Thread find(long id) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.threadId() == id)
        .findFirst()
        .orElse(null);
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

  private static @Nullable MethodHandle ofTheAgent() {
    try {
      MethodHandle id =
          MethodHandles.publicLookup()
              .findStatic(
                  Class.forName(OF_THE_AGENT, true, null), "id", MethodType.methodType(long.class));
      long linked = (long) id.invokeExact();
      return linked == 0 ? null : id;
    } catch (ReflectiveOperationException | LinkageError notThere) {
      return null;
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }
}
