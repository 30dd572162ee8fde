package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Zeroes used memory, and leaves pages alone that were never touched: such pages are zero, and take
 * no memory until they are touched. {@link PageMap} tells the touched pages.
 */
public final class TouchedPages {
  /** Pages examined at a time: a mebibyte. */
  private static final int BATCH = 256;

  private TouchedPages() {}

  /** Whether this system tells touched pages; elsewhere {@link #zero} touches all memory. */
  public static boolean areKnown() {
    return PageMap.isKnown();
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
      MemorySegment entries =
          arena.allocate(ValueLayout.JAVA_LONG, Math.min(BATCH, pagesEnd - first));
      for (long page = first; page < pagesEnd; page += BATCH) {
        new Batch(page, Math.min(BATCH, pagesEnd - page), entries).zero(address, end);
      }
    }
  }

  /** Consecutive pages, and scratch memory for their entries. */
  private record Batch(long page, long pages, MemorySegment entries) {

    /** Zeroes the touched pages between two addresses. */
    void zero(long from, long to) {
      if (PageMap.areAllInMemory(page, pages, entries) || !PageMap.read(page, pages, entries)) {
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
}
