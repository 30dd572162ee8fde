package jdk.internal.foreign;

import java.lang.foreign.MemorySegment;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Replaces the library's class {@code NativeMemory}, which states the rules of use. Allocates,
 * zeroes and frees native memory from within java.base, without a linker, a caller check or a
 * method handle. Memory is allocated as for the JDK's own arenas, so the JVM's native memory
 * tracking counts it.
 *
 * <p>Where {@link RockpoolInternals} are not usable, {@link #canAllocate} is false. Then nobody
 * calls the other methods.
 */
final class RockpoolNativeMemory {
  static final int ALIGNMENT = 16;
  static final int CACHE_LINE = 64;

  private RockpoolNativeMemory() {}

  /** Another JDK may lack it. */
  private static final class Home {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
  }

  /** Nothing to prepare: no call is linked. */
  static void initialize() {}

  static boolean canAllocate() {
    return RockpoolInternals.USABLE && Home.UNSAFE.addressSize() == Long.BYTES;
  }

  static long allocateZeroed(long byteSize) {
    long address;
    try {
      address = Home.UNSAFE.allocateMemory(byteSize);
    } catch (OutOfMemoryError none) {
      return 0;
    }
    if (byteSize == CACHE_LINE) {
      zeroLine(address);
    } else {
      zeroBulk(address, byteSize);
    }
    return address;
  }

  static void free(long address) {
    Home.UNSAFE.freeMemory(address);
  }

  @ForceInline
  static MemorySegment slice(long address, long byteSize) {
    return SegmentFactories.makeNativeSegmentUnchecked(address, byteSize);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a block; for small arenas, rounded up to 32. The
   * code for arenas of one or two cache lines is inlined where they are closed, and therefore
   * short; the rest is compiled once.
   */
  @ForceInline
  static void zero(long address, int byteSize) {
    if (byteSize <= CACHE_LINE) {
      zero32(address);
      if (byteSize > CACHE_LINE / 2) {
        zero32(address + CACHE_LINE / 2);
      }
    } else if (byteSize <= 2 * CACHE_LINE) {
      zeroLine(address);
      zeroLine(address + byteSize - CACHE_LINE); // may overlap the first one
    } else {
      zeroMore(address, byteSize);
    }
  }

  @ForceInline
  private static void zeroLine(long address) {
    zero32(address);
    zero32(address + CACHE_LINE / 2);
  }

  /** Plain stores for few cache lines, because a call of the JVM takes longer to begin. */
  private static void zeroMore(long address, int byteSize) {
    if (byteSize > 4 * CACHE_LINE) {
      zeroBulk(address, byteSize);
      return;
    }
    for (int done = 0; done < byteSize; done += CACHE_LINE / 2) {
      zero32(address + done);
    }
  }

  @ForceInline
  private static void zero32(long address) {
    Home.UNSAFE.putLong(address, 0);
    Home.UNSAFE.putLong(address + 8, 0);
    Home.UNSAFE.putLong(address + 16, 0);
    Home.UNSAFE.putLong(address + 24, 0);
  }

  /**
   * Zeroes an odd number of bytes, and then the last byte. For an even number the JVM fills by the
   * word; for an odd one, with the processor's widest stores (18 against 5 ns for 1 KiB, JDK 25 to
   * 28).
   */
  static void zeroBulk(long address, long byteSize) {
    Home.UNSAFE.setMemory(address, byteSize - 1 | 1, (byte) 0);
    Home.UNSAFE.putByte(address + byteSize - 1, (byte) 0);
  }

  static void checkZero(long address, int byteSize, String what) {
    for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
      if (Home.UNSAFE.getLong(address + offset) != 0) {
        throw new AssertionError(what + " holds data at byte " + offset);
      }
    }
  }
}
