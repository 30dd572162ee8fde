package dev.rockpool.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whole pages from the system, which are zero without being written to, and take no memory before
 * they are touched.
 *
 * <p>{@code calloc} does the same at first. But after a large block was freed, glibc keeps such
 * blocks and zeroes them by writing, which is far slower than mapping new pages.
 */
public final class Pages {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE = 2;
  private static final int NO_FILE = -1;
  private static final long MAP_FAILED = -1;

  private Pages() {}

  /** Whether pages can be mapped on this system; elsewhere use {@link NativeMemory}. */
  public static boolean areAvailable() {
    return Handles.MUNMAP != null;
  }

  /**
   * Maps {@code byteSize} bytes, rounded up to whole pages, zeroed. Returns the address, to be
   * passed to {@link #free} once; or 0 if there is no memory, or pages can't be mapped.
   */
  public static long allocateZeroed(long byteSize) {
    MethodHandle mmap = Handles.MMAP;
    if (mmap == null) {
      return 0;
    }
    try {
      long address =
          (long)
              mmap.invokeExact(
                  0L, byteSize, PROT_READ_WRITE, MAP_PRIVATE | Handles.MAP_ANONYMOUS, NO_FILE, 0L);
      return address == MAP_FAILED ? 0 : address;
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  /**
   * Unmaps pages from {@link #allocateZeroed}, of the same size. Nobody may access them any more.
   *
   * @throws IllegalStateException if the system refuses, because they were not allocated here
   */
  public static void free(long address, long byteSize) {
    MethodHandle munmap = Handles.MUNMAP;
    int refused = -1;
    try {
      if (munmap != null) {
        refused = (int) munmap.invokeExact(address, byteSize);
      }
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
    if (refused != 0) {
      throw new IllegalStateException(
          "Pages are unmapped only if they were mapped here: address=" + address);
    }
  }

  private static final class Handles {
    /** POSIX leaves this number to the system; 0 if unknown. */
    static final int MAP_ANONYMOUS = mapAnonymous(System.getProperty("os.name", ""));

    static final @Nullable MethodHandle MMAP =
        handle(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    static final @Nullable MethodHandle MUNMAP =
        MMAP == null
            ? null
            : handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    private static int mapAnonymous(String system) {
      return switch (system) {
        case "Linux" -> 0x20;
        case "Mac OS X" -> 0x1000;
        default -> 0;
      };
    }

    private static @Nullable MethodHandle handle(String name, FunctionDescriptor type) {
      if (MAP_ANONYMOUS == 0 || !NativeMemory.has64BitAddresses()) {
        return null;
      }
      return CLibrary.find(name, type);
    }
  }
}
