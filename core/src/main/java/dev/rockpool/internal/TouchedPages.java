package dev.rockpool.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Zeroes used memory, and leaves pages alone that were never touched: such pages are zero, and take
 * no memory until they are touched.
 */
public final class TouchedPages {
  /** Pages examined at a time: a mebibyte. */
  private static final int BATCH = 256;

  private TouchedPages() {}

  /** Whether this system tells touched pages; elsewhere {@link #zero} touches all memory. */
  public static boolean areKnown() {
    return PageMap.Checked.KNOWN;
  }

  /**
   * Zeroes memory from {@link Pages} or {@link NativeMemory}, which nobody else may access
   * meanwhile.
   *
   * @param byteSize at least 1
   */
  public static void zero(long address, long byteSize) {
    long end = address + byteSize;
    long pagesEnd = ((end - 1) >>> PageMap.PAGE_BITS) + 1;
    long first = address >>> PageMap.PAGE_BITS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries = arena.allocate(JAVA_LONG, Math.min(BATCH, pagesEnd - first));
      for (long page = first; page < pagesEnd; page += BATCH) {
        new Batch(page, Math.min(BATCH, pagesEnd - page), entries).zero(address, end);
      }
    }
  }

  /** Consecutive pages, and scratch memory for their entries. */
  private record Batch(long page, long pages, MemorySegment entries) {

    void zero(long from, long to) {
      if (PageMap.areAllInMemory(page, pages, entries)
          || !PageMap.read(PageMap.PAGE_BITS, page, pages, entries)) {
        zeroPages(0, pages, from, to);
        return;
      }
      long i = skip(0, false);
      while (i < pages) {
        long end = skip(i, true);
        zeroPages(i, end, from, to);
        i = skip(end, false);
      }
    }

    /** Returns the end of the pages from {@code i} on that are all touched, or all untouched. */
    private long skip(long i, boolean touched) {
      long end = i;
      while (end < pages && PageMap.isTouched(entries, end) == touched) {
        end++;
      }
      return end;
    }

    private void zeroPages(long i, long iEnd, long from, long to) {
      long start = Math.max(from, (page + i) << PageMap.PAGE_BITS);
      long end = Math.min(to, (page + iEnd) << PageMap.PAGE_BITS);
      NativeMemory.zeroBulk(start, end - start);
    }
  }

  /**
   * Reads the state of this process's pages on Linux: {@code /proc/self/pagemap} has an entry of
   * eight bytes for each page.
   *
   * <p>{@code mincore} is much quicker where pages are in memory, but can't tell a swapped-out page
   * from an untouched one. So {@code mincore} is asked first, and believed only if it reports all
   * pages in memory.
   */
  static final class PageMap {
    static final int PAGE_BITS = 12;

    private static final String FILE = "/proc/self/pagemap";
    private static final int O_RDONLY_CLOEXEC = 0x80000;

    /** Shifts out all but an entry's topmost bits: in memory, swapped out. */
    private static final int TOUCHED_SHIFT = 62;

    private PageMap() {}

    /**
     * Reads the entries of {@code pages} pages into native memory; returns false if they can't be
     * read. Reads that of a touched page first, because native code may have closed all descriptors
     * and opened another file.
     */
    static boolean read(int pageBits, long page, long pages, MemorySegment entries) {
      entries.setAtIndex(JAVA_LONG, 0, 1);
      return readAt(entries.address() >>> pageBits, 1, entries)
          && isTouched(entries, 0)
          && readAt(page, pages, entries);
    }

    private static boolean readAt(long page, long pages, MemorySegment entries) {
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
     * Whether that many pages are all in memory; false means unknown. {@code flags} has a byte for
     * each.
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
        if ((flags.get(JAVA_BYTE, i) & 1) == 0) {
          return false;
        }
      }
      return true;
    }

    static boolean isTouched(MemorySegment entries, long index) {
      return entries.getAtIndex(JAVA_LONG, index) >>> TOUCHED_SHIFT != 0;
    }

    /** The handles, and the file, which stays open as long as the JVM runs. */
    private static final class Opened {
      static final @Nullable MethodHandle PREAD =
          handle(
              "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));

      static final @Nullable MethodHandle MINCORE =
          handle("mincore", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS));

      static final int DESCRIPTOR = open();

      private static int open() {
        MethodHandle open = handle("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
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

    /** Holds the result of the test, which runs once. */
    static final class Checked {
      static final boolean KNOWN = check(PAGE_BITS);

      /**
       * Tests the file on pages before and after they are written to. With another page size, or
       * another meaning of the file, the test fails. The pages are many, as bits of another meaning
       * may be set by chance: an emulator of the other byte order passes on entries as they are.
       */
      static boolean check(int pageBits) {
        int pages = 64;
        long byteSize = (long) pages << pageBits;
        long address = Pages.areAvailable() ? Pages.allocateZeroed(byteSize) : 0;
        if (address == 0) {
          return false;
        }
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment entries = arena.allocate(JAVA_LONG, pages);
          long page = address >>> pageBits;
          if (!read(pageBits, page, pages, entries)) {
            return false;
          }
          boolean right = true;
          for (int i = 0; i < pages; i++) {
            right &= !isTouched(entries, i);
            NativeMemory.zeroBulk(address + ((long) i << pageBits), 1);
          }
          right &= read(pageBits, page, pages, entries);
          for (int i = 0; i < pages; i++) {
            right &= isTouched(entries, i);
          }
          return right;
        } finally {
          Pages.free(address, byteSize);
        }
      }
    }
  }
}
