package dev.rockpool.internal;

import java.nio.ByteBuffer;

/**
 * Direct buffers as the JDK makes them for {@link ByteBuffer#allocateDirect}: nothing ends their
 * memory, and a buffer stays reachable as long as a slice, duplicate, view or segment of it does.
 *
 * <p>Public API has none: a buffer made of a segment has the segment's scope, which each access
 * looks at, and which is three more objects. In the classes that the agent defines, another class
 * takes this one's place.
 */
@SuppressWarnings("DoNotCallSuggester") // the class that takes the place does not always throw
public final class BareBuffers {
  private BareBuffers() {}

  /** Whether there are any. Elsewhere the other methods throw. */
  public static boolean areAvailable() {
    return false;
  }

  /** A big-endian buffer that has no memory yet. Nobody may use it before {@link #bind}. */
  public static ByteBuffer withoutMemory(int capacity) {
    throw new UnsupportedOperationException("Public API has no bare buffers: " + capacity);
  }

  /** Gives a buffer its memory, for good. */
  public static void bind(ByteBuffer buffer, long address) {
    throw new UnsupportedOperationException(
        "Public API has no bare buffers: " + buffer + ", " + address);
  }

  /** The address of a direct buffer's first byte, wherever its position is. */
  public static long address(ByteBuffer buffer) {
    throw new UnsupportedOperationException("Public API has no bare buffers: " + buffer);
  }
}
