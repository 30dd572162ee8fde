package jdk.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.internal.access.JavaNioAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import sun.nio.ch.DirectBuffer;

/**
 * Direct buffers as the JDK makes them for {@code ByteBuffer.allocateDirect}, from within
 * java.base. Tried once, as another JDK may make them otherwise: then there are none.
 */
final class RockpoolBareBuffers {
  private static final int TRIED = 16;

  /** Why there are none; null if there are. */
  private static final String OBSTACLE = tryAll();

  private static final boolean AVAILABLE = OBSTACLE == null;

  private RockpoolBareBuffers() {}

  /** The JDK's own; another JDK may lack it. */
  private static final class Home {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
    static final JavaNioAccess NIO = SharedSecrets.getJavaNioAccess();

    /** The field of a buffer with its address. */
    static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, "address");
  }

  private static String tryAll() {
    try {
      long address = Home.UNSAFE.allocateMemory(TRIED);
      try {
        return isAsExpected(address) ? null : "direct buffers are different";
      } finally {
        Home.UNSAFE.freeMemory(address);
      }
    } catch (LinkageError | InternalError | RuntimeException otherJdk) {
      return otherJdk.toString();
    }
  }

  private static boolean isAsExpected(long address) {
    ByteBuffer buffer = withoutMemory(TRIED);
    DirectBuffer direct = (DirectBuffer) buffer;
    boolean unbound = direct.address() == 0;
    bind(buffer, address);
    Home.UNSAFE.putLong(address, 0);
    buffer.putInt(0, 1);
    return unbound
        && Home.UNSAFE.getByte(address + 3) == 1
        && buffer.isDirect()
        && !buffer.isReadOnly()
        && buffer.order() == ByteOrder.BIG_ENDIAN
        && buffer.position() == 0
        && buffer.limit() == TRIED
        && buffer.capacity() == TRIED
        && address(buffer.position(1)) == address
        && buffer.rewind().position() == 0
        && direct.attachment() == null
        && ((DirectBuffer) buffer.slice(1, 2)).attachment() == buffer
        && MemorySegment.ofBuffer(buffer).address() == address;
  }

  static String obstacle() {
    return OBSTACLE;
  }

  static boolean areAvailable() {
    return AVAILABLE;
  }

  static ByteBuffer withoutMemory(int capacity) {
    return Home.NIO.newDirectByteBuffer(0, capacity, null, null);
  }

  /** The fence makes a racing reader see the address, as if a constructor had set it. */
  static void bind(ByteBuffer buffer, long address) {
    Home.UNSAFE.putLong(buffer, Home.ADDRESS, address);
    Home.UNSAFE.storeFence();
  }

  static long address(ByteBuffer buffer) {
    return ((DirectBuffer) buffer).address();
  }
}
