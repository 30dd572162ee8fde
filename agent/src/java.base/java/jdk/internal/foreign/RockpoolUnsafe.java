package jdk.internal.foreign;

import jdk.internal.misc.Unsafe;

/**
 * Counts memory that programs allocate and free by {@code sun.misc.Unsafe}, which calls these
 * methods in the place of those of the JDK's inner class of that name; and the JDK's temporary
 * buffers.
 */
public final class RockpoolUnsafe {
  private RockpoolUnsafe() {}

  public static long allocateMemory(Unsafe jdk, long byteSize) {
    RockpoolAllocations.Taken taken = RockpoolAllocations.charge(byteSize, caller());
    long address = 0;
    try {
      address = jdk.allocateMemory(byteSize);
      return address;
    } finally {
      RockpoolAllocations.took(address, taken);
    }
  }

  public static long reallocateMemory(Unsafe jdk, long address, long byteSize) {
    RockpoolAllocations.Taken taken = RockpoolAllocations.chargeAnew(address, byteSize, caller());
    long moved = 0;
    try {
      moved = jdk.reallocateMemory(address, byteSize);
      return moved;
    } finally {
      RockpoolAllocations.took(moved, taken);
    }
  }

  public static void freeMemory(Unsafe jdk, long address) {
    RockpoolAllocations.Taken taken = RockpoolAllocations.give(address);
    jdk.freeMemory(address);
    RockpoolAllocations.freed(taken, false);
  }

  /** Allocates a temporary buffer of a channel, which no limit counts, and notes it. */
  public static long allocateTemporary(Unsafe jdk, long byteSize) {
    long address = jdk.allocateMemory(byteSize);
    RockpoolAllocations.noteTemporary(address, byteSize);
    return address;
  }

  private static RockpoolSite caller() {
    return RockpoolSite.find(RockpoolCallers.taker(), RockpoolSite.Kind.UNSAFE);
  }
}
