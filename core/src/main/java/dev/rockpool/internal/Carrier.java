package dev.rockpool.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The platform thread that carries the current virtual thread.
 *
 * <p>The JDK has no public way to find it. Its own method is within reach where package java.lang
 * is open to us: in the classes that the agent defines always, as they are in java.base, and in the
 * library with {@code --add-opens java.base/java.lang=dev.rockpool} (or {@code ALL-UNNAMED}, where
 * Rockpool is on the class path). Where the agent is, the library asks the agent's class.
 *
 * <p><b>No unmount between finding the carrier and using what is its own.</b> What {@link #current}
 * returns is true until the virtual thread is unmounted. A virtual thread is never unmounted at an
 * arbitrary point, as there is no time slicing; it unmounts itself, in a method of the JDK that was
 * called to wait: park, sleep, yield, a contended monitor, {@code Object.wait}, blocking I/O, and
 * since JDK 26 a class that another thread is initializing. So code that goes on from here with
 * what belongs to the carrier (today {@code SlabTable.slabsOf} with the acquire of {@code
 * ThreadSlabs} that follows, and {@code PooledArena.isAt} with its extend or release) reads and
 * writes fields and array elements, plain or atomic, compares, and calls methods of ours that do no
 * more, on objects whose classes are initialized because the object exists. It takes no lock,
 * initializes no class, and calls nothing of the JDK that might wait. Whatever has to do one of
 * these does it before, and then looks for the carrier again.
 */
public final class Carrier {
  private static final MethodType TYPE = MethodType.methodType(Thread.class);
  private static final String OF_THE_AGENT = "java.lang.foreign.RockpoolCarrier";
  private static final @Nullable MethodHandle CURRENT = find();

  private Carrier() {}

  /** Whether {@link #current} may be called. */
  public static boolean isReachable() {
    return CURRENT != null;
  }

  /**
   * The carrier of the current virtual thread, or the current thread itself if it is none.
   *
   * @throws IllegalStateException if it can't be reached
   */
  @ForceInline
  public static Thread current() {
    MethodHandle current = CURRENT;
    if (current == null) {
      throw unreachable();
    }
    try {
      return (Thread) current.invokeExact();
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  private static IllegalStateException unreachable() {
    return new IllegalStateException("java.lang is not open to Rockpool");
  }

  private static RuntimeException unexpected(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(failure);
  }

  private static @Nullable MethodHandle find() {
    MethodHandle own = ofTheJdk();
    return own != null ? own : ofTheAgent();
  }

  private static @Nullable MethodHandle ofTheJdk() {
    try {
      return linked(
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
              .findStatic(Thread.class, "currentCarrierThread", TYPE));
    } catch (Throwable closed) {
      return null;
    }
  }

  /** This class, as the agent has defined it in java.base. */
  private static @Nullable MethodHandle ofTheAgent() {
    try {
      Class<?> carrier = Class.forName(OF_THE_AGENT, true, null);
      return linked(MethodHandles.publicLookup().findStatic(carrier, "current", TYPE));
    } catch (Throwable notThere) {
      return null;
    }
  }

  /** Links the call, which takes locks, while nothing depends on the carrier yet. */
  private static @Nullable MethodHandle linked(MethodHandle handle) throws Throwable {
    Thread linked = (Thread) handle.invokeExact();
    return linked == null ? null : handle;
  }
}
