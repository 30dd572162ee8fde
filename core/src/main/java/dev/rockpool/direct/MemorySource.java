package dev.rockpool.direct;

import dev.rockpool.internal.NativeMemory;

/** Allocates and frees memory, on any thread. Tests have sources that check or refuse. */
interface MemorySource {
  MemorySource SYSTEM = new SystemMemory();

  /**
   * Allocates memory, zeroed, on a multiple of {@link NativeMemory#ALIGNMENT}; returns the address,
   * or 0 if the system has no memory. Even an empty block has an address of its own.
   */
  long allocateZeroed(long byteSize);

  /** Frees memory that {@link #allocateZeroed} returned for that size, once. */
  void free(long address, long byteSize);

  /** Malloc's memory: it keeps what is freed for later requests, as it does for the JDK. */
  final class SystemMemory implements MemorySource {
    @Override
    public long allocateZeroed(long byteSize) {
      return NativeMemory.allocateZeroed(Math.max(1, byteSize));
    }

    @Override
    public void free(long address, long byteSize) {
      NativeMemory.free(address);
    }
  }
}
