package jdk.internal.foreign;

import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;

/**
 * Frees direct buffers by hand, in the place of the method that {@code sun.misc.Unsafe} calls. The
 * JDK's method refuses slices and duplicates, and frees nothing of our buffers.
 */
public final class RockpoolCleaner {
  private RockpoolCleaner() {}

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
}
