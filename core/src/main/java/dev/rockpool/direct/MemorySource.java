package dev.rockpool.direct;

import dev.rockpool.internal.CLibrary;
import dev.rockpool.internal.Callbacks;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    /** Addresses for the JDK to free if an application ends with memory in use; null if none. */
    private static final @Nullable Set<Long> LEFT = Callbacks.arePlain() ? null : found();

    private static @Nullable Set<Long> found() {
      MethodHandle free = CLibrary.find("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
      return free == null ? null : Callbacks.freeAtUnload(free);
    }

    @Override
    public long allocateZeroed(long byteSize) {
      long address = NativeMemory.allocateZeroed(Math.max(1, byteSize));
      if (LEFT != null && address != 0) {
        LEFT.add(address);
      }
      return address;
    }

    @Override
    public void free(long address, long byteSize) {
      if (LEFT != null) {
        LEFT.remove(address);
      }
      NativeMemory.free(address);
    }
  }
}
