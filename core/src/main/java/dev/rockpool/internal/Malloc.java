package dev.rockpool.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The C library's {@code calloc} and {@code free}: where slabs come from and go back to, in slow
 * paths only.
 *
 * <p>Not a shared arena of the JDK: any thread may close that, too, but its close stops every
 * thread of the program to look what it is doing (0.2 s with a thousand threads on two cores, JDK
 * 25). And not an automatic one: that counts against the limit for direct memory, and may run a
 * full GC before it allocates.
 */
public final class Malloc {
  /** What calloc promises on 64-bit systems, and so what each segment of a JDK arena starts on. */
  public static final int ALIGNMENT = 16;

  private Malloc() {}

  /** Whether there is a way to call the C library. */
  public static boolean isAvailable() {
    return Handles.MEMSET != null;
  }

  /**
   * Allocates {@code byteSize} bytes, zeroed, on a multiple of {@link #ALIGNMENT}.
   *
   * @return the address, to be given to {@link #free} once; or 0 if there is no memory, or no way
   *     to call the C library
   */
  public static long allocateZeroed(long byteSize) {
    MethodHandle calloc = Handles.CALLOC;
    if (calloc == null || !isAvailable()) {
      return 0;
    }
    try {
      return (long) calloc.invokeExact(1L, byteSize);
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /** Gives memory back. Nobody may touch it from now on. */
  public static void free(long address) {
    MethodHandle free = Handles.FREE;
    if (free == null) {
      throw new IllegalStateException("What was not allocated here is not freed here: " + address);
    }
    try {
      free.invokeExact(address);
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /**
   * Zeroes memory, whatever it is. For thousands of bytes: cold memory takes a third less time than
   * with {@code MemorySegment.fill}, as the C library knows how the processor likes it best.
   * Nothing stops this thread meanwhile, the garbage collector neither.
   *
   * @param byteSize at most a mebibyte, so that nobody waits longer than 0.1 ms for that
   */
  public static void zero(long address, long byteSize) {
    MethodHandle memset = Handles.MEMSET;
    if (memset == null) {
      throw new IllegalStateException("What was not allocated here is not zeroed here: " + address);
    }
    try {
      long same = (long) memset.invokeExact(address, 0, byteSize);
      assert same == address;
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /**
   * All or none: each is null if those before it are. Pointers are declared as integers: all 64-bit
   * ABIs pass both alike.
   */
  private static final class Handles {
    static final @Nullable MethodHandle CALLOC =
        handle(
            "calloc",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    static final @Nullable MethodHandle FREE =
        CALLOC == null ? null : handle("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    static final @Nullable MethodHandle MEMSET =
        FREE == null
            ? null
            : handle(
                "memset",
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG),
                Linker.Option.critical(false));

    private static @Nullable MethodHandle handle(
        String name, FunctionDescriptor type, Linker.Option... options) {
      String consequence = "Slabs can't be allocated, so arenas are the JDK's own";
      return CLibrary.findOrTell(consequence, name, type, options);
    }
  }
}
