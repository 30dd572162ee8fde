package jdk.internal.foreign;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import jdk.internal.access.foreign.UnmapperProxy;
import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

/**
 * Frees buffers in the place of the JDK's methods. That one which {@code sun.misc.Unsafe} calls
 * refuses slices and duplicates, and frees nothing of our buffers.
 */
public final class RockpoolCleaner {
  private static final Class<?> REFERENCE_HANDLER = referenceHandler();

  /** Memory that the housekeeper is to free, as the stack has ended; noted without a call. */
  private static final long[] LATE = new long[1024];

  private static int late;

  /** Whether the housekeeper looks after those. */
  private static boolean isTended;

  private RockpoolCleaner() {}

  /**
   * Has the housekeeper free what could not be freed before. Call once native memory is limited.
   */
  static void tend() {
    if (!isTended) {
      RockpoolHousekeeper.add(new Later());
      isTended = true;
    }
  }

  private static final class Later implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      while (late > 0) { // only grows meanwhile
        long address;
        synchronized (LATE) {
          address = LATE[--late];
        }
        freeMemory(Unsafe.getUnsafe(), address);
      }
      return true;
    }
  }

  private static Class<?> referenceHandler() {
    try {
      return Class.forName("java.lang.ref.Reference$ReferenceHandler", false, null);
    } catch (ClassNotFoundException otherJdk) {
      return InnocuousThread.class;
    }
  }

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
    RockpoolAllocations.Taken taken;
    try {
      long first = firstByte(address);
      taken = RockpoolAllocations.give(first);
      if (RockpoolAllocations.records) { // else the heap may be full where that class comes
        RockpoolHolding.freed(first);
      }
    } catch (StackOverflowError end) { // not to be thrown: the JVM would end
      synchronized (LATE) {
        if (isTended && late < LATE.length) {
          LATE[late++] = address;
          return;
        }
      }
      taken = null;
    }
    jdk.freeMemory(address);
    RockpoolAllocations.freed(taken, isOfTheCollector(Thread.currentThread()));
  }

  /** Returns the bytes by which memory exceeds a buffer: a page, if the JVM was told to align. */
  static long paddingOfBuffers() {
    return VM.isDirectMemoryPageAligned() ? Unsafe.getUnsafe().pageSize() : 0;
  }

  /** Returns the address of a buffer whose memory is there. */
  private static long firstByte(long address) {
    long padding = paddingOfBuffers();
    return padding == 0 ? address : (address + padding - 1) & -padding;
  }

  /** Whether a thread is the JDK's, and frees what the collector has found. Needs no heap. */
  private static boolean isOfTheCollector(Thread thread) {
    return thread instanceof InnocuousThread || thread.getClass() == REFERENCE_HANDLER;
  }

  public static void unmap(UnmapperProxy mapped) {
    RockpoolHolding.freed(mapped.address());
    mapped.unmap();
  }
}
