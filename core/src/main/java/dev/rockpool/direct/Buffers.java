package dev.rockpool.direct;

import dev.rockpool.internal.BareBuffers;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Usability;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Serves programs under the agent, which do not know {@link DirectMemory}: in place of {@code
 * ByteBuffer.allocateDirect}, and after {@code sun.misc.Unsafe.invokeCleaner}.
 *
 * <p>Not for programs. Public only where the agent defines this class, because rewritten code calls
 * it there.
 */
final class Buffers {
  private Buffers() {}

  /** Whether all classes behind this one are initialized, see {@link Foundations}. */
  private static volatile boolean ready;

  /** Whether the JDK allocates all buffers until the JVM ends. */
  private static volatile boolean unusable;

  /** The thread that prepares: the program's own system properties may allocate buffers. */
  private static volatile @Nullable Thread preparing;

  /**
   * Allocates a buffer from the global direct memory. The JDK allocates until the classes are
   * initialized; later a failure has no fallback, because a fallback would exceed the limit.
   *
   * @throws IllegalArgumentException the JDK's own, if {@code capacity} is negative
   * @throws OutOfMemoryError as the JDK does: if the limit leaves no room, or the system has no
   *     memory
   * @throws StackOverflowError as the JDK does
   */
  public static ByteBuffer allocateDirect(int capacity) {
    return capacity >= 0 && (ready || isReady())
        ? DirectMemory.global().allocateBare(capacity)
        : ByteBuffer.allocateDirect(capacity);
  }

  /** Uses each class once, if stack and heap suffice; otherwise a later call does. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private static boolean isReady() {
    Thread current = Thread.currentThread();
    if (unusable || preparing == current) {
      return false;
    }
    preparing = current;
    try {
      Foundations.requireMoreRoomSeldomCollecting();
      if (Usability.canReplaceDirectBuffers()) {
        useOnce();
        ready = true;
      } else {
        unusable = true;
      }
    } catch (VirtualMachineError notNow) {
      return false;
    } catch (Throwable failure) {
      unusable = true;
      Notices.print("Direct buffers are the JDK's, without a limit of Rockpool's", failure);
    } finally {
      preparing = null;
    }
    return ready;
  }

  private static void useOnce() {
    DirectMemory memory = DirectMemory.ofLimit(2 * MemorySource.PAGES_FROM);
    invokeCleaner(memory.allocateBare(1));
    invokeCleaner(memory.allocateBare((int) MemorySource.PAGES_FROM));
    DirectMemory.global();
  }

  /**
   * Frees the memory of a buffer from {@link #allocateDirect} at once; does nothing for other
   * buffers, or the second time. The JDK has refused slices and duplicates before this call.
   *
   * <p>As with the JDK's own buffers, the program must not use the buffer afterwards, and no access
   * is checked: a scope, if any, stays alive. Closing the scope would stop all threads for a
   * moment, which {@code invokeCleaner} of the JDK does not. Never throws, like the JDK's.
   */
  public static void invokeCleaner(ByteBuffer buffer) {
    try {
      Block block = blockOf(buffer);
      if (block != null) {
        block.free();
      }
    } catch (Throwable later) {
      // The collector frees the memory.
      return;
    }
  }

  private static @Nullable Block blockOf(ByteBuffer buffer) {
    if (BareBuffers.areAvailable()) {
      if (ready) {
        Blocks.indexBuffers();
      }
      return Blocks.find(buffer, BareBuffers.address(buffer));
    }
    Block block = Blocks.find(MemorySegment.ofBuffer(buffer).scope());
    return block != null && block.isHandedOutAs(buffer) ? block : null;
  }
}
