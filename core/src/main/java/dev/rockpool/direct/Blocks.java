package dev.rockpool.direct;

import org.jspecify.annotations.Nullable;

/**
 * All blocks that are handed out: a hash table. Keeps them reachable, because the collector
 * enqueues reachable references only, and finds the block of an owner.
 *
 * <p>A hash map of the JDK's makes a small buffer half as expensive again. Here blocks are linked
 * themselves, and small blocks that are neighbours in native memory are mostly in the same bin. So
 * the program and the collector find one beside the other. With a million live buffers, a bin has
 * some hundred.
 */
final class Blocks {
  private static final int BIN_BITS = 12;
  private static final Bin[] BINS = new Bin[1 << BIN_BITS];

  static {
    for (int i = 0; i < BINS.length; i++) {
      BINS[i] = new Bin();
    }
  }

  private Blocks() {}

  /** Returns the bin of the block with that owner, or that address. */
  static Bin bin(long hash) {
    return BINS[(int) ((hash * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - BIN_BITS))];
  }

  /**
   * Removes the first {@code count} blocks of an array, and moves those that this call has removed
   * to its start; returns their number. Does so for successive blocks of a bin together, because a
   * thread that allocates needs the same monitor.
   */
  static int removeAll(Block[] blocks, int count) {
    int removed = 0;
    for (int i = 0; i < count; ) {
      Bin bin = blocks[i].bin;
      synchronized (bin) {
        for (; i < count && blocks[i].bin == bin; i++) {
          if (bin.remove(blocks[i])) {
            blocks[removed++] = blocks[i];
          }
        }
      }
    }
    return removed;
  }

  static long count(DirectMemory memory) {
    long count = 0;
    for (Bin bin : BINS) {
      count += bin.count(memory);
    }
    return count;
  }

  /** A doubly linked list. */
  @SuppressWarnings("ReferenceEquality") // a block equals itself only
  static final class Bin {
    private @Nullable Block first;

    synchronized void add(Block block) {
      Block second = first;
      block.next = second;
      if (second != null) {
        second.previous = block;
      }
      first = block;
    }

    /** Returns whether this call removed the block; then the caller frees it. */
    synchronized boolean remove(Block block) {
      Block previous = block.previous;
      Block next = block.next;
      if (next == block) {
        return false;
      }
      if (next != null) {
        next.previous = previous;
      }
      if (previous != null) {
        previous.next = next;
      } else {
        first = next;
      }
      block.previous = null;
      block.next = block;
      return true;
    }

    synchronized @Nullable Block find(Object owner) {
      Block found = first;
      while (found != null && !found.refersTo(owner)) {
        found = found.next;
      }
      return found;
    }

    private synchronized long count(DirectMemory memory) {
      long count = 0;
      for (Block block = first; block != null; block = block.next) {
        count += block.memory == memory ? 1 : 0;
      }
      return count;
    }
  }
}
