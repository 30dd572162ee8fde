package dev.rockpool.direct;

import dev.rockpool.internal.StackSpace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All blocks that are handed out. They have to be reachable, or the garbage collector would forget
 * about them; and {@code DirectMemory.free} looks here for the block behind a buffer.
 *
 * <p>A hash table by the page that a block starts on, in stripes with a lock each. A slice may
 * start pages behind its block, so the search goes down page by page. Neighbouring pages have
 * neighbouring places in the table: memory is mostly allocated in a row, and scattered writes to a
 * table that has grown old are what a young collection then has to look at.
 */
final class Blocks {
  private static final int PAGE_BITS = 12;
  private static final int STRIPE_BITS = 6;

  /** Pages that are neighbours in the table, in one stripe: 1 MiB of them. */
  private static final int REGION_BITS = 8;

  private static final Stripe[] STRIPES = new Stripe[1 << STRIPE_BITS];

  static {
    for (int i = 0; i < STRIPES.length; i++) {
      STRIPES[i] = new Stripe();
    }
  }

  /** The largest block there ever was: how far a search goes. A race may leave it too small. */
  private static volatile long largest;

  private Blocks() {}

  static void add(Block block) {
    if (block.byteSize() > largest) {
      raiseLargest(block.byteSize());
    }
    stripe(hash(block)).add(block);
  }

  private static synchronized void raiseLargest(long byteSize) {
    largest = Math.max(largest, byteSize);
  }

  /** Takes a block out; says whether it was there. */
  static boolean remove(Block block) {
    return stripe(hash(block)).remove(block);
  }

  /** The block with that scope on which a view starts at {@code address}, or null. */
  static @Nullable Block find(long address, MemorySegment.Scope scope) {
    long lowest = Math.max(0, address - largest) >>> PAGE_BITS;
    for (long page = address >>> PAGE_BITS; page >= lowest; page--) {
      Block found = stripe(hash(page)).find(page, scope);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The block with that scope which starts at {@code address}, or null. */
  static @Nullable Block startingAt(long address, MemorySegment.Scope scope) {
    long page = address >>> PAGE_BITS;
    Block found = stripe(hash(page)).find(page, scope);
    return found != null && found.address() == address ? found : null;
  }

  /**
   * Frees what nothing can reach any more, whether it was enqueued yet or not: a collection clears
   * the references at once, and only enqueuing them takes its time. Looks at every block there is.
   *
   * @return how many those were
   */
  static int freeUnreachable() {
    List<Block> unreachable = new ArrayList<>();
    for (Stripe stripe : STRIPES) {
      stripe.addUnreachable(unreachable);
    }
    unreachable.forEach(Block::free);
    return unreachable.size();
  }

  private static long page(Block block) {
    return block.address() >>> PAGE_BITS;
  }

  private static int hash(Block block) {
    return hash(page(block));
  }

  /**
   * Of the region the upper half of a product, whose every bit depends on all bits below it; the
   * page within the region changes the lowest bits alone.
   */
  private static int hash(long page) {
    long region = page >>> REGION_BITS;
    int spread = (int) ((region * 0x9E3779B97F4A7C15L) >>> Integer.SIZE);
    return spread ^ (int) (page & ((1 << REGION_BITS) - 1));
  }

  private static Stripe stripe(int hash) {
    return STRIPES[hash >>> (Integer.SIZE - STRIPE_BITS)];
  }

  /** A part of the table: chains of blocks, linked both ways so that each is taken out at once. */
  private static final class Stripe {
    private @Nullable Block[] chains = new @Nullable Block[16];
    private int size;

    private int index(int hash) {
      return hash & (chains.length - 1);
    }

    synchronized void add(Block block) {
      if (2 * size == chains.length) {
        grow();
      }
      link(block);
      size++;
    }

    private void link(Block block) {
      int index = index(hash(block));
      Block first = chains[index];
      block.previous = null;
      block.next = first;
      if (first != null) {
        first.previous = block;
      }
      chains[index] = block;
      block.linked = true;
    }

    private void grow() {
      StackSpace.require();
      @Nullable Block[] old = chains;
      chains = new @Nullable Block[2 * old.length];
      for (Block chain : old) {
        for (Block block = chain; block != null; ) {
          Block next = block.next;
          link(block);
          block = next;
        }
      }
    }

    synchronized boolean remove(Block block) {
      if (!block.linked) {
        return false;
      }
      Block next = block.next;
      Block previous = block.previous;
      if (next != null) {
        next.previous = previous;
      }
      if (previous != null) {
        previous.next = next;
      } else {
        chains[index(hash(block))] = next;
      }
      block.next = null;
      block.previous = null;
      block.linked = false;
      size--;
      return true;
    }

    synchronized void addUnreachable(List<Block> unreachable) {
      for (Block chain : chains) {
        for (Block block = chain; block != null; block = block.next) {
          if (block.refersTo(null)) {
            unreachable.add(block);
          }
        }
      }
    }

    synchronized @Nullable Block find(long page, MemorySegment.Scope scope) {
      Block block = chains[index(hash(page))];
      while (block != null && !(page(block) == page && block.refersTo(scope))) {
        block = block.next;
      }
      return block;
    }
  }
}
