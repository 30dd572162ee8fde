package jdk.internal.foreign;

import jdk.internal.misc.Unsafe;

/**
 * Records memory that programs allocate and free by {@code sun.misc.Unsafe}, which calls these
 * methods in the place of those of the JDK's inner class of that name.
 */
public final class RockpoolUnsafe {
  private RockpoolUnsafe() {}

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
