package dev.rockpool.direct;

import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Pages;

/**
 * Allocates and frees memory. Any thread calls it, some with the monitor of a {@link KeptMemory},
 * so it must not wait for other threads. Tests have sources that check or refuse.
 */
interface MemorySource {
  /**
   * From this size on {@link #SYSTEM} maps pages. Mapped pages are cheaper than clearing unless all
   * of them are touched; for smaller blocks the two system calls cost as much as clearing.
   */
  long PAGES_FROM = 256 << 10;

  MemorySource SYSTEM = new SystemMemory();

  /**
   * Allocates memory, zeroed, on a multiple of {@link NativeMemory#ALIGNMENT}; returns the address,
   * or 0 if the system has no memory. Even an empty block has an address of its own.
   */
  long allocateZeroed(long byteSize);

  /** Smallest size that is worth keeping: the C library reuses smaller blocks as quickly. */
  long smallestKept();

  /** Frees memory that {@link #allocateZeroed} returned for that size, once. */
  void free(long address, long byteSize);

  /** Chooses by size alone, so that no block has to remember its source. */
  final class SystemMemory implements MemorySource {
    private static boolean isPages(long byteSize) {
      return byteSize >= PAGES_FROM && Pages.areAvailable();
    }

    @Override
    public long smallestKept() {
      return PAGES_FROM;
    }

    @Override
    public long allocateZeroed(long byteSize) {
      return isPages(byteSize)
          ? Pages.allocateZeroed(byteSize)
          : NativeMemory.allocateZeroed(Math.max(1, byteSize));
    }

    @Override
    public void free(long address, long byteSize) {
      if (isPages(byteSize)) {
        Pages.free(address, byteSize);
      } else {
        NativeMemory.free(address);
      }
    }
  }
}
