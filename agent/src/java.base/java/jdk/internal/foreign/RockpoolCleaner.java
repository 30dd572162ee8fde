package jdk.internal.foreign;

import java.nio.ByteBuffer;
import jdk.internal.access.foreign.UnmapperProxy;
import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;

/**
 * Frees buffers in the place of the JDK's methods. That one which {@code sun.misc.Unsafe} calls
 * refuses slices and duplicates, and frees nothing of our buffers.
 */
public final class RockpoolCleaner {
  private RockpoolCleaner() {}

  /** Frees a buffer of the JDK's or ours. */
  public static void free(Unsafe jdk, ByteBuffer buffer) {
    jdk.invokeCleaner(buffer);
    RockpoolBuffers.invokeCleaner(buffer);
  }

  /** Frees a buffer of the JDK's or ours, and records that it is free. */
  public static void freeAndRecord(Unsafe jdk, ByteBuffer buffer) {
    jdk.invokeCleaner(buffer); // records by itself
    RockpoolHolding.freed(buffer);
    RockpoolBuffers.invokeCleaner(buffer);
  }

  /** Frees the memory of a direct buffer of the JDK's, and notes that it is free. */
  public static void freeMemory(Unsafe jdk, long address) {
    RockpoolHolding.freed(address);
    RockpoolAllocations.Taken taken = RockpoolAllocations.give(address);
    jdk.freeMemory(address);
    if (isOfTheCollector(Thread.currentThread())) {
      RockpoolAllocations.freedFound(taken);
    } else {
      RockpoolAllocations.freed(taken);
    }
  }

  /** Whether a thread is the JDK's, and frees what the collector has found. */
  private static boolean isOfTheCollector(Thread thread) {
    return thread instanceof InnocuousThread
        || thread.getClass().getName().startsWith("java.lang.ref.");
  }

  /** Unmaps the file of a mapped buffer, and records that it is free. */
  public static void unmap(UnmapperProxy mapped) {
    RockpoolHolding.freed(mapped.address());
    mapped.unmap();
  }
}
