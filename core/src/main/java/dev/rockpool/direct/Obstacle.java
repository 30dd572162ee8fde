package dev.rockpool.direct;

import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Usability;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Reasons for which Rockpool makes no buffers and segments in this JVM. Confined and shared arenas
 * have the JDK's memory, and work.
 */
enum Obstacle {
  NONE(""),

  /** The C library has sizes and addresses of another width than Rockpool's calls. */
  NARROW_ADDRESSES(
      "addresses of 64 bits: this JVM has " + Byte.SIZE * ValueLayout.ADDRESS.byteSize()),

  DENIED("native access: start java with "),

  NO_C_LIBRARY("calloc, free and memset of the C library: this JVM has no linker that finds them");

  private static volatile @Nullable Obstacle found;

  private final String needed;

  Obstacle(String needed) {
    this.needed = needed;
  }

  static Obstacle ofThisJvm() {
    Obstacle answer = found;
    if (answer == null) {
      answer = find();
      found = answer;
    }
    return answer;
  }

  private static Obstacle find() {
    if (!NativeMemory.has64BitAddresses()) {
      return NARROW_ADDRESSES;
    }
    if (!Usability.isNativeAccessAllowed()) {
      return DENIED;
    }
    if (!NativeMemory.canAllocate()) {
      return NO_C_LIBRARY;
    }
    NativeMemory.initialize();
    return NONE;
  }

  /**
   * @throws UnsupportedOperationException if this JVM can't have direct memory of Rockpool
   * @throws IllegalCallerException if native access is denied
   */
  void check() {
    if (this == DENIED) {
      throw new IllegalCallerException(
          "Direct memory needs " + needed + Usability.nativeAccessFlag());
    } else if (this != NONE) {
      throw new UnsupportedOperationException(
          "Direct memory needs "
              + needed
              + "; use ByteBuffer.allocateDirect, or DirectMemory.ofConfined and ofShared");
    }
  }
}
