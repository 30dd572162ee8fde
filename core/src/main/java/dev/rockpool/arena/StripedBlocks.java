package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Unused blocks, all zero, for threads that keep none of their own: platform threads at their first
 * arenas, and virtual threads whose carrier can't be reached.
 *
 * <p>Each stripe is 0, or a block. Taking leaves 0, and keeping needs a 0, both atomically.
 */
final class StripedBlocks {
  /** Elements between two stripes, which have a cache line each. */
  private static final int LINE = NativeMemory.CACHE_LINE / Long.BYTES;

  private final AtomicLongArray stripes;

  /** Has so many stripes, a power of two. */
  StripedBlocks(int count) {
    stripes = new AtomicLongArray((count + 1) * LINE); // the length has a line of its own
  }

  /** Four for each processor, so that running threads seldom share one; from 16 to 1,024. */
  static int defaultCount() {
    int wanted = Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 16, 1024);
    return Integer.highestOneBit(2 * wanted - 1);
  }

  /** Returns the element of the current thread's stripe. */
  private int element() {
    return LINE + ((int) Thread.currentThread().threadId() * LINE & stripes.length() - LINE - 1);
  }

  /** Returns a block that is the caller's from now on; 0 if there is none. */
  long take() {
    int at = element();
    return stripes.get(at) == 0 ? 0 : stripes.getAndSet(at, 0);
  }

  /** Keeps a zeroed block, which is then no longer the caller's; returns false if there is one. */
  boolean tryKeep(long block) {
    int at = element();
    return stripes.get(at) == 0 && stripes.compareAndSet(at, 0, block);
  }

  /** Frees all blocks; returns their number. */
  int freeAll() {
    int freed = 0;
    for (int at = LINE; at < stripes.length(); at += LINE) {
      long block = stripes.getAndSet(at, 0);
      if (block != 0) {
        NativeMemory.free(block);
        freed++;
      }
    }
    return freed;
  }

  /** Returns the number of kept blocks. */
  int count() {
    int count = 0;
    for (int at = LINE; at < stripes.length(); at += LINE) {
      count += stripes.get(at) == 0 ? 0 : 1;
    }
    return count;
  }

  /** Checks that all kept memory is zero; call while no thread is at work. */
  void checkInvariants(int blockByteSize) {
    for (int at = LINE; at < stripes.length(); at += LINE) {
      if (stripes.get(at) != 0) {
        NativeMemory.checkZero(stripes.get(at), blockByteSize, "shared block");
      }
    }
  }
}
