package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * What Linux tells of the pages of this process: {@code /proc/self/pagemap} has an entry of eight
 * bytes for each.
 *
 * <p>{@code mincore} is ten times as quick where pages are in memory, and takes what was swapped
 * out for what was never there. So it is asked first, and believed if it says that all are there.
 */
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
      throw CLibrary.unexpected(failure);
    }
  }

  /**
   * Whether all of {@code pages} pages from number {@code page} on are in memory. If not, nothing
   * is known.
   *
   * @param flags of a byte for each, to be written to
   */
  static boolean areAllInMemory(long page, long pages, MemorySegment flags) {
    MethodHandle mincore = Opened.MINCORE;
    if (mincore == null) {
      return false;
    }
    try {
      if ((int) mincore.invokeExact(page << PAGE_BITS, pages << PAGE_BITS, flags) != 0) {
        return false;
      }
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
    for (long i = 0; i < pages; i++) {
      if ((flags.get(ValueLayout.JAVA_BYTE, i) & 1) == 0) {
        return false;
      }
    }
    return true;
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

    static final @Nullable MethodHandle MINCORE =
        handle(
            "mincore",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));

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
        throw CLibrary.unexpected(failure);
      }
    }

    private static @Nullable MethodHandle handle(String name, FunctionDescriptor type) {
      if (!System.getProperty("os.name", "").equals("Linux") || !Pages.areAvailable()) {
        return null;
      }
      return CLibrary.find(name, type);
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
        NativeMemory.zeroPages(address + (1L << PAGE_BITS), 1);
        return untouched && read(page, pages, entries) && isTouched(entries, 1);
      } finally {
        Pages.free(address, byteSize);
      }
    }
  }
}
