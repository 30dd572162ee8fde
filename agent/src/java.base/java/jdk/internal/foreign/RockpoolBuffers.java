package jdk.internal.foreign;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import jdk.internal.access.JavaNioAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import sun.nio.ch.DirectBuffer;

/**
 * Serves programs under the agent, which do not know {@code DirectMemory}: in place of {@code
 * ByteBuffer.allocateDirect}, and after {@code sun.misc.Unsafe.invokeCleaner}.
 *
 * <p>The buffers are bare, as the JDK makes them for {@code ByteBuffer.allocateDirect}: they have
 * no scope, and nothing ends their memory. A buffer stays reachable as long as a slice, duplicate,
 * view or segment of it does. Public API has no such buffers. Another JDK may make them otherwise,
 * so this is tried once; if they differ, all buffers are the JDK's.
 */
final class RockpoolBuffers {
  private static final int TRIED = 16;

  /** Enough heap to initialize all classes behind this one. */
  private static final int HEAP_BYTES = 1 << 20;

  /** The memory of all buffers, once all classes behind this one are initialized. */
  private static volatile RockpoolDirectMemory memory;

  /** Whether the JDK allocates all buffers until the JVM ends. */
  private static volatile boolean unusable;

  private RockpoolBuffers() {}

  /** The JDK's own; another JDK may lack it. */
  private static final class Internals {
    static final JavaNioAccess NIO = SharedSecrets.getJavaNioAccess();
  }

  /**
   * Allocates a buffer from the global direct memory. The JDK allocates until the classes are
   * initialized, and in a JVM where direct buffers can't be Rockpool's. Once active this never
   * falls back to the JDK, because that memory would escape the limit.
   *
   * @throws IllegalArgumentException the JDK's own, if {@code capacity} is negative
   * @throws OutOfMemoryError as the JDK does: if the limit leaves no room, or the system has no
   *     memory
   */
  public static ByteBuffer allocateDirect(int capacity) {
    RockpoolDirectMemory known = memory;
    if (known == null && !unusable && hasHeap()) {
      known = prepare();
    }
    return known == null || capacity < 0
        ? ByteBuffer.allocateDirect(capacity)
        : allocate(known, capacity);
  }

  private static ByteBuffer allocate(RockpoolDirectMemory from, int capacity) {
    long address = from.acquire(capacity);
    boolean isOwned = false;
    try {
      ByteBuffer buffer = Internals.NIO.newDirectByteBuffer(address, capacity, null, null);
      RockpoolBlock.ofBareBuffer(from, address, capacity, buffer);
      isOwned = true;
      return buffer;
    } finally {
      if (!isOwned) {
        from.release(address, capacity);
      }
    }
  }

  /** A class whose initialization runs out of heap would be broken, and with it the limit. */
  private static boolean hasHeap() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory() >= HEAP_BYTES;
  }

  private static RockpoolDirectMemory prepare() {
    try {
      if (!RockpoolUsability.canReplaceJdkMemory()) {
        unusable = true;
      } else if (areBuffersAsExpected()) {
        clean(allocate(RockpoolDirectMemory.ofLimit(TRIED), TRIED));
        memory = RockpoolDirectMemory.global();
      } else {
        giveUp("this JDK makes buffers otherwise");
      }
    } catch (LinkageError | RuntimeException failure) {
      giveUp(failure.toString());
    }
    return memory;
  }

  private static void giveUp(String reason) {
    unusable = true;
    RockpoolNotices.print("Direct buffers are the JDK's, without a limit of Rockpool's: " + reason);
  }

  private static boolean areBuffersAsExpected() {
    long address = Unsafe.getUnsafe().allocateMemory(TRIED);
    try {
      Unsafe.getUnsafe().putLong(address, 0);
      ByteBuffer buffer = Internals.NIO.newDirectByteBuffer(address, TRIED, null, null);
      buffer.putInt(0, 1);
      DirectBuffer direct = (DirectBuffer) buffer;
      return Unsafe.getUnsafe().getByte(address + 3) == 1
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
    } finally {
      Unsafe.getUnsafe().freeMemory(address);
    }
  }

  /**
   * Frees the memory of a buffer from {@link #allocateDirect} at once; does nothing for other
   * buffers, or the second time. The JDK has refused slices and duplicates before this call. As
   * with the JDK's own buffers, the program must not use the buffer afterwards.
   */
  public static void invokeCleaner(ByteBuffer buffer) {
    if (memory != null) {
      clean(buffer);
    }
  }

  private static void clean(ByteBuffer buffer) {
    RockpoolBlock block = RockpoolBlock.bin(address(buffer)).find(buffer);
    if (block != null) {
      block.free();
    }
  }

  /** The address of a direct buffer's first byte, wherever its position is. */
  private static long address(ByteBuffer buffer) {
    return ((DirectBuffer) buffer).address();
  }

  static final class Reserved implements LongSupplier {
    @Override
    public long getAsLong() {
      RockpoolDirectMemory known = memory;
      return known == null ? 0 : known.reserved();
    }
  }
}
