package dev.rockpool.direct;

import dev.rockpool.internal.StackSpace;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all blocks reachable, because the collector enqueues reachable references only. Finds the
 * block of a scope for {@code DirectMemory.free}, and that of a bare buffer for {@code
 * Unsafe.invokeCleaner}.
 *
 * <p>There are 64 stripes with a lock each; a thread's id chooses its stripe. In a stripe, blocks
 * are in slots in the order in which they came. The collector therefore reads adjacent references
 * to adjacent objects. References scattered over a hash table would cost it three times as much.
 *
 * <p>Blocks that can be freed by hand are in a hash table, too, which has the numbers of their
 * slots. Scopes are hashed by identity, bare buffers by address, because the first identity hash of
 * an object costs as much as all else. Bare buffers are in the table only from the first one on
 * that the program frees by hand: most programs free none, and a table of many blocks is seldom in
 * the processor's caches.
 */
final class Blocks {
  static final int NOWHERE = -1;

  private static final int STRIPE_BITS = 6;
  private static final int FIRST_LENGTH = 16;
  private static final int SLOTS_AT_ONCE = 1 << 10;

  private static final Stripe[] STRIPES = new Stripe[1 << STRIPE_BITS];

  static {
    for (int i = 0; i < STRIPES.length; i++) {
      STRIPES[i] = new Stripe();
    }
  }

  /**
   * Whether there may be abandoned blocks. Set after a block is abandoned, reset before a search.
   */
  static volatile boolean hasAbandoned;

  /** Whether new bare buffers go into the hash tables. */
  private static volatile boolean indexesBuffers;

  /** Whether all bare buffers are in the hash tables. */
  private static volatile boolean hasAllBuffers;

  private Blocks() {}

  private static int hashOfScope(MemorySegment.Scope scope) {
    return System.identityHashCode(scope);
  }

  /** Folds the address, because large blocks are at multiples of large powers of two. */
  private static int hashOfAddress(long address) {
    long unit = address / MemorySource.ALIGNMENT;
    return (int) (unit ^ unit >>> 8 ^ unit >>> 16);
  }

  static void add(Block block) {
    STRIPES[block.stripe].add(block);
  }

  /** Lets {@link #find(MemorySegment.Scope)} find a block that was added. */
  static void index(Block block, MemorySegment.Scope scope) {
    STRIPES[block.stripe].index(block, hashOfScope(scope));
  }

  /**
   * Lets {@link #find(ByteBuffer, long)} find a block that was added and has its memory. The fence
   * makes this thread see that buffers are indexed, or {@link #indexBuffers} the address.
   */
  static void indexByAddress(Block block) {
    VarHandle.fullFence();
    if (indexesBuffers) {
      STRIPES[block.stripe].index(block, hashOfAddress(block.address));
    }
  }

  /** Indexes the blocks of all bare buffers, those to come included. */
  static void indexBuffers() {
    if (!indexesBuffers) {
      StackSpace.require(); // cut off here, each later search would look at every block
      indexesBuffers = true;
      VarHandle.fullFence();
      for (Stripe stripe : STRIPES) {
        for (int slot = 0; slot != NOWHERE; ) {
          slot = stripe.indexBuffers(slot);
        }
      }
      hasAllBuffers = true;
    }
  }

  /** Removes a batch of blocks, see {@link Block#freeClaimed}. */
  static void removeAll(Block first) {
    for (Block next = first; next != null; ) {
      next = STRIPES[next.stripe].removeOwn(next);
    }
  }

  static byte stripeOfThread() {
    return (byte) (Thread.currentThread().threadId() & (STRIPES.length - 1));
  }

  static @Nullable Block find(MemorySegment.Scope scope) {
    return find(hashOfScope(scope), scope);
  }

  /** Looks at every block until {@link #indexBuffers} is done. */
  static @Nullable Block find(ByteBuffer buffer, long address) {
    return hasAllBuffers ? find(hashOfAddress(address), buffer) : search(buffer);
  }

  private static @Nullable Block search(ByteBuffer buffer) {
    Block found = null;
    for (int i = 0; found == null && i < STRIPES.length; i++) {
      found = STRIPES[i].search(buffer);
    }
    return found;
  }

  /** Looks first at the stripe of the current thread, which has often allocated the block. */
  private static @Nullable Block find(int hash, Object owner) {
    int own = stripeOfThread();
    Block found = STRIPES[own].find(hash, owner);
    for (int i = 0; found == null && i < STRIPES.length; i++) {
      found = i == own ? null : STRIPES[i].find(hash, owner);
    }
    return found;
  }

  /**
   * Frees unreachable blocks, enqueued or not: a collection clears the references at once, but they
   * are enqueued later. Looks at every block; returns the number of blocks freed.
   */
  static int freeUnreachable() {
    return freeAll(true);
  }

  /** Frees abandoned blocks, if there may be any; returns the number of blocks freed. */
  static int freeAbandoned() {
    if (!hasAbandoned) {
      return 0;
    }
    hasAbandoned = false;
    return freeAll(false);
  }

  private static int freeAll(boolean unreachable) {
    int freed = 0;
    for (Stripe stripe : STRIPES) {
      int slot = stripe.nextToFree(0, unreachable);
      while (slot != NOWHERE) {
        Block block = stripe.get(slot); // by now perhaps another block, which is in use
        freed += block != null && block.mayBeFreed(unreachable) && block.tryFree() ? 1 : 0;
        slot = stripe.nextToFree(slot + 1, unreachable);
      }
    }
    return freed;
  }

  /** Returns the number of blocks of {@code memory} that have native memory. */
  static long count(DirectMemory memory) {
    long count = 0;
    for (Stripe stripe : STRIPES) {
      count += stripe.count(memory);
    }
    return count;
  }

  static long collectable() {
    long collectable = 0;
    for (Stripe stripe : STRIPES) {
      collectable += stripe.collectable();
    }
    return collectable;
  }

  static long added() {
    long added = 0;
    for (Stripe stripe : STRIPES) {
      added += stripe.added();
    }
    return added;
  }

  /**
   * A part of the table. A change is a sequence of plain writes without a call in between, which
   * the end of the stack could prevent; the table grows before the change.
   */
  private static final class Stripe {
    private @Nullable Block[] slots = new @Nullable Block[FIRST_LENGTH];

    /** For a slot in a chain the next slot of that chain; for a free slot the next free one. */
    private int[] next = new int[FIRST_LENGTH];

    /** For each hash the first slot of its chain. As long as {@link #slots}, a power of two. */
    private int[] chains = emptyChains(FIRST_LENGTH);

    /** Slots from here on were never used. */
    private int used;

    /** The first slot that is free again. */
    private int free = NOWHERE;

    private int collectable;
    private long added;

    private static int[] emptyChains(int length) {
      int[] chains = new int[length];
      Arrays.fill(chains, NOWHERE);
      return chains;
    }

    private static int chain(int hash, int length) {
      return hash & (length - 1);
    }

    synchronized void add(Block block) {
      if (free == NOWHERE && used == slots.length) {
        grow();
      }
      int slot = free;
      if (slot == NOWHERE) {
        slot = used;
        used = slot + 1;
      } else {
        free = next[slot];
      }
      slots[slot] = block;
      block.slot = slot;
      collectable += block.isCollectable ? 1 : 0;
      added++;
    }

    /**
     * Indexes the blocks of buffers in some slots, not all, because other threads wait meanwhile;
     * returns the next slot, or {@link #NOWHERE}. Leaves out blocks found by scope, and those
     * without memory yet: their threads index them. Blocks of automatic arenas are indexed in vain,
     * because nothing asks for them.
     */
    synchronized int indexBuffers(int from) {
      int end = Math.min(from + SLOTS_AT_ONCE, used);
      for (int slot = from; slot < end; slot++) {
        Block block = slots[slot];
        if (block != null && block.isCollectable && block.address != 0 && !block.isFoundByScope()) {
          index(block, hashOfAddress(block.address));
        }
      }
      return end < used ? end : NOWHERE;
    }

    synchronized void index(Block block, int hash) {
      if (block.indexed) { // by the thread that indexes all buffers
        return;
      }
      int chain = chain(hash, chains.length);
      int slot = block.slot;
      next[slot] = chains[chain];
      chains[chain] = slot;
      block.hash = hash;
      block.indexed = true;
    }

    /** Doubles the table; all slots are in use. */
    private void grow() {
      int length = 2 * slots.length;
      @Nullable Block[] newSlots = Arrays.copyOf(slots, length);
      int[] newNext = new int[length];
      int[] newChains = emptyChains(length);
      for (int slot = 0; slot < used; slot++) {
        Block block = newSlots[slot];
        if (block != null && block.indexed) {
          int chain = chain(block.hash, length);
          newNext[slot] = newChains[chain];
          newChains[chain] = slot;
        }
      }
      slots = newSlots;
      next = newNext;
      chains = newChains;
    }

    /** Removes blocks up to the first one of another stripe; returns that one, or null. */
    synchronized @Nullable Block removeOwn(Block first) {
      int stripe = first.stripe;
      Block block = first;
      while (block != null && block.stripe == stripe) {
        remove(block);
        block = block.next;
      }
      return block;
    }

    private void remove(Block block) {
      int slot = block.slot;
      if (slot == NOWHERE) {
        return;
      }
      int chain = chain(block.hash, chains.length);
      if (block.indexed && chains[chain] == slot) {
        chains[chain] = next[slot];
      } else if (block.indexed) {
        int before = chains[chain];
        while (next[before] != slot) {
          before = next[before];
        }
        next[before] = next[slot];
      }
      block.indexed = false;
      slots[slot] = null;
      next[slot] = free;
      free = slot;
      block.slot = NOWHERE;
      collectable -= block.isCollectable ? 1 : 0;
    }

    synchronized @Nullable Block find(int hash, Object owner) {
      int slot = chains[chain(hash, chains.length)];
      while (slot != NOWHERE) {
        Block block = slots[slot];
        if (block != null && block.hash == hash && block.refersTo(owner)) {
          return block;
        }
        slot = next[slot];
      }
      return null;
    }

    synchronized @Nullable Block search(Object owner) {
      for (int slot = 0; slot < used; slot++) {
        Block block = slots[slot];
        if (block != null && block.refersTo(owner)) {
          return block;
        }
      }
      return null;
    }

    synchronized @Nullable Block get(int slot) {
      return slots[slot];
    }

    /** Returns the next slot with a block that any thread may free, or {@link #NOWHERE}. */
    synchronized int nextToFree(int from, boolean unreachable) {
      for (int slot = from; slot < used; slot++) {
        Block block = slots[slot];
        if (block != null && block.mayBeFreed(unreachable)) {
          return slot;
        }
      }
      return NOWHERE;
    }

    synchronized long count(DirectMemory memory) {
      long count = 0;
      for (int slot = 0; slot < used; slot++) {
        Block block = slots[slot];
        count += block != null && block.memory == memory && block.address != 0 ? 1 : 0;
      }
      return count;
    }

    synchronized int collectable() {
      return collectable;
    }

    synchronized long added() {
      return added;
    }
  }
}
