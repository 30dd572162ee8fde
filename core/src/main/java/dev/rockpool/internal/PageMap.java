package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * What Linux tells of the pages of this process in {@code /proc/self/pagemap}: an entry of eight
 * bytes for each.
 *
 * <p>Not {@code mincore}, which is quicker: it takes what was swapped out for untouched.
 */
@SuppressWarnings("restricted")
final class PageMap {
  static final int PAGE_BITS = 12;

  private static final String FILE = "/proc/self/pagemap";
  private static final int O_RDONLY_CLOEXEC = 0x80000;

  /** Its topmost bits: in memory, in the swap file. */
  private static final int TOUCHED_SHIFT = 62;

  private PageMap() {}

  /** Whether this system tells, and means what we think. */
  static boolean isKnown() {
    return Checked.KNOWN;
  }

  /**
   * Reads the entries of {@code pages} pages from number {@code page} on.
   *
   * @return false if the system does not tell
   */
  static boolean read(long page, long pages, MemorySegment entries) {
    MethodHandle pread = Opened.PREAD;
    if (pread == null || Opened.DESCRIPTOR < 0) {
      return false;
    }
    long byteSize = pages * Long.BYTES;
    try {
      return byteSize
          == (long) pread.invokeExact(Opened.DESCRIPTOR, entries, byteSize, page * Long.BYTES);
    } catch (Throwable failure) {
      throw Malloc.unexpected(failure);
    }
  }

  /** Whether anybody has written to that page, or read it. */
  static boolean isTouched(MemorySegment entries, long index) {
    return entries.getAtIndex(ValueLayout.JAVA_LONG, index) >>> TOUCHED_SHIFT != 0;
  }

  /** Open for as long as the JVM runs. */
  private static final class Opened {
    static final @Nullable MethodHandle PREAD =
        handle(
            "pread",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG));

    static final int DESCRIPTOR = open();

    private static int open() {
      MethodHandle open =
          handle(
              "open",
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
      if (open == null) {
        return -1;
      }
      try (Arena arena = Arena.ofConfined()) {
        return (int) open.invokeExact(arena.allocateFrom(FILE), O_RDONLY_CLOEXEC);
      } catch (Throwable failure) {
        throw Malloc.unexpected(failure);
      }
    }

    private static @Nullable MethodHandle handle(String name, FunctionDescriptor type) {
      if (!System.getProperty("os.name", "").equals("Linux") || !Pages.areAvailable()) {
        return null;
      }
      try {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
      } catch (RuntimeException | LinkageError unavailable) {
        return null;
      }
    }
  }

  /**
   * Tried on three pages of which one is written to: where pages have another size, or the file is
   * something else, the entries say something else, too.
   */
  private static final class Checked {
    static final boolean KNOWN = check();

    private static boolean check() {
      int pages = 3;
      long byteSize = (long) pages << PAGE_BITS;
      long address = Pages.areAvailable() ? Pages.allocateZeroed(byteSize) : 0;
      if (address == 0) {
        return false;
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment entries = arena.allocate(ValueLayout.JAVA_LONG, pages);
        long page = address >>> PAGE_BITS;
        boolean untouched =
            read(page, pages, entries)
                && !isTouched(entries, 0)
                && !isTouched(entries, 1)
                && !isTouched(entries, 2);
        Malloc.zero(address + (1L << PAGE_BITS), 1);
        return untouched && read(page, pages, entries) && isTouched(entries, 1);
      } finally {
        Pages.free(address, byteSize);
      }
    }
  }
}
