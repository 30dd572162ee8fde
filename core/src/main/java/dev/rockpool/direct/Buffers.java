package dev.rockpool.direct;

import dev.rockpool.internal.BareBuffers;
import dev.rockpool.internal.StackSpace;
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

  /**
   * Frames that the first use needs, with JMX: classes whose initialization fails at the end of the
   * stack stay broken.
   */
  private static final int FIRST_USE_FRAMES = 2048;

  /** Whether all classes behind this one are initialized. */
  private static volatile boolean ready;

  /** A class of its own, so that a failed initialization leaves {@link Buffers} usable. */
  private static final class Ours {
    static final boolean CAN_REPLACE = Usability.canReplaceDirectBuffers();
  }

  /**
   * Allocates a buffer from the global direct memory; from the JDK, if that can't give any for
   * another reason than its limit.
   *
   * @throws IllegalArgumentException the JDK's own, if {@code capacity} is negative
   * @throws OutOfMemoryError as the JDK does: if the limit leaves no room, or the system has no
   *     memory
   * @throws StackOverflowError as the JDK does
   */
  public static ByteBuffer allocateDirect(int capacity) {
    try {
      if (capacity >= 0 && (ready || isReady())) {
        return DirectMemory.global().allocateBare(capacity);
      }
    } catch (RuntimeException | LinkageError unusable) {
      return ByteBuffer.allocateDirect(capacity);
    }
    return ByteBuffer.allocateDirect(capacity);
  }

  /** Uses each class once, where the stack suffices for that. Otherwise a later call does. */
  private static boolean isReady() {
    try {
      StackSpace.require(FIRST_USE_FRAMES);
    } catch (StackOverflowError notNow) {
      return false;
    }
    if (!Ours.CAN_REPLACE) {
      return false;
    }
    DirectMemory memory = DirectMemory.ofLimit(2 * MemorySource.PAGES_FROM);
    invokeCleaner(memory.allocateBare(1));
    invokeCleaner(memory.allocateBare((int) MemorySource.PAGES_FROM));
    DirectMemory.global();
    ready = true;
    return true;
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
