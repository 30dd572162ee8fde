package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Zeroes memory that was used before, and leaves alone what nobody has touched since the system
 * gave it: such pages are zero, and take no memory until somebody writes to them.
 *
 * <p>Which ones were touched, {@link PageMap} tells.
 */
public final class TouchedPages {
  /** How many pages are looked at in one go: 2 MiB of them. */
  private static final int BATCH = 512;

  private TouchedPages() {}

  /** Whether this system tells; elsewhere all of the memory is zeroed, and so touched. */
  public static boolean areKnown() {
    return PageMap.isKnown();
  }

  /**
   * Zeroes memory from {@link Pages} or {@link Malloc}. Nobody else may touch it meanwhile.
   *
   * @param byteSize at least 1
   */
  public static void zero(long address, long byteSize) {
    long end = address + byteSize;
    long pagesEnd = ((end - 1) >>> PageMap.PAGE_BITS) + 1;
    long page = address >>> PageMap.PAGE_BITS;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries =
          arena.allocate(ValueLayout.JAVA_LONG, Math.min(BATCH, pagesEnd - page));
      for (; page < pagesEnd; page += BATCH) {
        long pages = Math.min(BATCH, pagesEnd - page);
        boolean known = PageMap.read(page, pages, entries);
        for (long i = 0; i < pages; ) {
          long first = i;
          boolean touched = !known || PageMap.isTouched(entries, i);
          do {
            i++;
          } while (i < pages && touched == (!known || PageMap.isTouched(entries, i)));
          if (touched) {
            long from = Math.max(address, (page + first) << PageMap.PAGE_BITS);
            long to = Math.min(end, (page + i) << PageMap.PAGE_BITS);
            Malloc.zero(from, to - from);
          }
        }
      }
    }
  }
}
