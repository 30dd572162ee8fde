package dev.rockpool.direct;

import dev.rockpool.internal.BareBuffers;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Usability;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Serves programs under the agent, which know nothing of {@link DirectMemory}: in place of {@code
 * ByteBuffer.allocateDirect}, and after {@code sun.misc.Unsafe.invokeCleaner}.
 *
 * <p>Not for programs, and public only where the agent defines it, so that their classes can call
 * it.
 */
final class Buffers {
  private Buffers() {}

  /** Whether all classes behind this one are initialized, see {@link Foundations}. */
  private static volatile boolean ready;

  /** Whether the JDK allocates until the JVM ends. */
  private static volatile boolean unusable;

  /** The thread that initializes them: the program's own system properties may allocate buffers. */
  private static volatile @Nullable Thread preparing;

  /**
   * Allocates a buffer from the global direct memory. The JDK allocates while that is not ready;
   * later a failure has no fallback, which would lift the limit.
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

  /** Uses each class once, where stack and heap suffice for that. Otherwise a later call does. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private static boolean isReady() {
    Thread current = Thread.currentThread();
    if (unusable || preparing == current) {
      return false;
    }
    preparing = current;
    try {
      Foundations.requireMoreRoom();
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
   * Frees the memory of a buffer from {@link #allocateDirect} at once, and does nothing for any
   * other, or the second time. The JDK has refused slices and duplicates before.
   *
   * <p>As with the JDK's own buffers, nobody may use the buffer any more, and nobody checks that: a
   * scope, where there is one, stays alive. To close it would stop every thread for a moment, which
   * nobody expects who frees a buffer in this way. And it never throws, as they don't either.
   */
  public static void invokeCleaner(ByteBuffer buffer) {
    try {
      Block block = blockOf(buffer);
      if (block != null) {
        block.free();
      }
    } catch (Throwable unusable) {
      // Then it is left to the collector.
      return;
    }
  }

  private static @Nullable Block blockOf(ByteBuffer buffer) {
    if (BareBuffers.areAvailable()) {
      return Blocks.find(buffer);
    }
    Block block = Blocks.find(MemorySegment.ofBuffer(buffer).scope());
    return block != null && block.isHandedOutAs(buffer) ? block : null;
  }
}
