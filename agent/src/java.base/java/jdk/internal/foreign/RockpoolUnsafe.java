package jdk.internal.foreign;

import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;

/**
 * Stands between {@code sun.misc.Unsafe} and the JDK's inner class of that name, whose methods are
 * called for the program.
 *
 * <p>Frees direct buffers by hand: the JDK's method refuses slices and duplicates, and frees
 * nothing of our buffers. Records memory that programs allocate and free by address.
 */
public final class RockpoolUnsafe {
  private RockpoolUnsafe() {}

  /** Frees a buffer of the JDK's or ours. */
  public static void free(Unsafe jdk, ByteBuffer buffer) {
    jdk.invokeCleaner(buffer);
    RockpoolBuffers.invokeCleaner(buffer);
  }

  /** Frees a buffer of the JDK's, and records that it is free. */
  public static void record(Unsafe jdk, ByteBuffer buffer) {
    jdk.invokeCleaner(buffer);
    RockpoolHolding.freed(buffer);
  }

  /** Frees a buffer of the JDK's or ours, and records that it is free. */
  public static void freeAndRecord(Unsafe jdk, ByteBuffer buffer) {
    free(jdk, buffer);
    RockpoolHolding.freed(buffer);
  }

  /** Allocates memory, and records it. */
  public static long allocateMemory(Unsafe jdk, long byteSize) {
    long address = jdk.allocateMemory(byteSize);
    RockpoolAllocations.took(address, byteSize, RockpoolSite.Kind.UNSAFE);
    return address;
  }

  /** Allocates, copies and frees, and records both. */
  public static long reallocateMemory(Unsafe jdk, long address, long byteSize) {
    RockpoolAllocations.give(address);
    long moved = jdk.reallocateMemory(address, byteSize);
    RockpoolAllocations.took(moved, byteSize, RockpoolSite.Kind.UNSAFE);
    return moved;
  }

  /** Frees memory, and records that it is free. */
  public static void freeMemory(Unsafe jdk, long address) {
    RockpoolAllocations.give(address);
    jdk.freeMemory(address);
  }
}
