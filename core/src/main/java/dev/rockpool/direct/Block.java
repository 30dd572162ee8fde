package dev.rockpool.direct;

import dev.rockpool.direct.WaitingLine.Waiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The owner of reserved bytes: those of one piece of native memory, which the block owns as well,
 * or those of an arena of the JDK.
 *
 * <p>A block is in {@link Blocks} before its first bytes are reserved. A plain write to a field
 * follows each effect: to {@code reserved} once bytes are reserved, to {@code address} once memory
 * is allocated, and again once either is given back. Neither the end of the stack nor that of the
 * heap can prevent a plain write. Therefore, after any failure, another thread finds in these
 * fields what is left to free.
 *
 * <p>One thread claims the block and frees it: when its scope is closed, or when its owner is
 * unreachable. The owner is the object that every buffer, slice, duplicate, view and segment of the
 * memory keeps reachable: the scope, or a bare buffer, which has no scope. For an automatic arena,
 * it is the cleanup action, which that arena keeps reachable. The block is a phantom reference to
 * the owner. If freeing fails half-way, the block is <i>abandoned</i>: the claim is given back, and
 * the reclaimer, or a thread that waits for memory, frees the rest. A block that is claimed or
 * abandoned is <i>over</i>: it reserves nothing more.
 *
 * <p>Fields marked Guarded are guarded by this block's monitor. The thread that has claimed the
 * block frees it without the monitor.
 */
final class Block extends PhantomReference<Object> {
  final DirectMemory memory;

  /** The action of the scope, which keeps it reachable; null if nobody can free by hand. */
  private @Nullable WeakReference<Cleanup> cleanup;

  final byte stripe = Blocks.stripeOfThread();

  /** Slot in its stripe of {@link Blocks}, which guards it and the next two. */
  int slot = Blocks.NOWHERE;

  /** Whether the block is in the hash table of its stripe, as {@code hash}. */
  boolean indexed;

  int hash;

  /** Whether the block owns Rockpool's memory, not the reservation of an arena of the JDK. */
  final boolean isCollectable;

  /** Bytes reserved for the block, without those that its waiters were served. Guarded. */
  private long reserved;

  /** Requests of the block that are in line, or left the line and are not settled yet. Guarded. */
  private @Nullable Waiter waiters;

  /**
   * Address of the native memory; 0 if there is none. A plain field: the thread that frees the
   * block got the block from the garbage collector, from the program, or by a read of {@code
   * abandoned}.
   */
  long address;

  /** Whether a thread is freeing the block, or has freed it. Set with the monitor. */
  volatile boolean claimed;

  /** The next block of a batch; only the thread that has claimed both blocks uses it. */
  @Nullable Block next;

  /** Whether any thread may free the block, after a failure. */
  volatile boolean abandoned;

  /** The arena, closed or open, from the attempt to close it until a known failure; else null. */
  volatile @Nullable Arena perhapsClosed;

  Block(DirectMemory memory, Object owner) {
    super(owner, Reclaimer.QUEUE);
    this.memory = memory;
    this.isCollectable = true;
  }

  /** Makes the block of an arena that the program closes, or leaks. Not found by its scope. */
  Block(DirectMemory memory) {
    super(null, null);
    this.memory = memory;
    this.isCollectable = false;
  }

  /**
   * Returns the bytes that a request takes from the system: with padding for alignment, as in the
   * JDK, and never 0, so that each block has an address of its own.
   */
  static long byteSizeFor(long byteSize, long byteAlignment) {
    long padding = Math.max(0, byteAlignment - MemorySource.ALIGNMENT);
    // An overflow is more than any limit.
    long total = byteSize + padding;
    return total < 0 ? Long.MAX_VALUE : Math.max(1, total);
  }

  /** Returns the arena whose {@code close} frees the block; null if nobody can free by hand. */
  @Nullable Arena lifetime() {
    Cleanup known = cleanup();
    return known == null ? null : known.arena;
  }

  /** Whether {@code buffer} is the first buffer of this block, not a view of its memory. */
  @SuppressWarnings("ReferenceEquality") // buffers with the same content are equal
  boolean isHandedOutAs(ByteBuffer buffer) {
    Cleanup known = cleanup();
    return known != null && known.buffer == buffer;
  }

  /**
   * Whether {@link Blocks#index} lets the block be found, by a scope that can be closed by hand.
   */
  boolean isFoundByScope() {
    return cleanup != null;
  }

  private @Nullable Cleanup cleanup() {
    return cleanup == null ? null : cleanup.get();
  }

  /**
   * Whether any thread may free the block: after a failure, since its arena was closed, or because
   * its memory is found {@code unreachable}. Once true, stays true until the block is freed.
   */
  boolean mayBeFreed(boolean unreachable) {
    Arena closed = perhapsClosed;
    return abandoned
        || (closed != null && !closed.scope().isAlive())
        || (unreachable && isCollectable && refersTo(null));
  }

  /**
   * Reserves {@code byteSize} bytes, and waits if there is no room. Does nothing if the arena was
   * closed. The caller calls {@link Reclaimer#start} next, because the block may be new.
   *
   * @throws OutOfMemoryError if the bytes are refused
   */
  void reserve(long byteSize) {
    // No other thread can reach Rockpool's memory before it is handed out; an arena may be closed.
    if (!(isCollectable ? reservesAlone(byteSize) : reservesBesideClose(byteSize))) {
      reserveInLine(byteSize);
    }
  }

  private synchronized boolean reservesBesideClose(long byteSize) {
    return isOver() || reservesAlone(byteSize);
  }

  private boolean reservesAlone(long byteSize) {
    if (slot == Blocks.NOWHERE) { // a block is removed only after it is over
      Blocks.add(this);
    }
    if (!memory.budget().reservesNow(byteSize)) {
      return false;
    }
    reserved += byteSize;
    return true;
  }

  private void reserveInLine(long byteSize) {
    Waiter waiter = new Waiter(byteSize);
    if (!adds(waiter)) {
      return;
    }
    boolean served = memory.budget().reservesInLine(waiter);
    settle(waiter);
    if (!served && !isOver()) {
      throw memory.budget().refused(byteSize);
    }
  }

  /** Returns false if the arena was closed: then the waiter's bytes would never be credited. */
  private synchronized boolean adds(Waiter waiter) {
    if (isOver()) {
      return false;
    }
    waiter.nextOfBlock = waiters;
    waiters = waiter;
    return true;
  }

  /** Takes over the bytes that a waiter was served, unless the thread that frees the block does. */
  private synchronized void settle(Waiter settled) {
    if (claimed) {
      return;
    }
    Waiter previous = null;
    for (Waiter waiter = waiters; waiter != null; waiter = waiter.nextOfBlock) {
      if (waiter == settled) {
        if (previous == null) {
          waiters = waiter.nextOfBlock;
        } else {
          previous.nextOfBlock = waiter.nextOfBlock;
        }
        reserved += waiter.served ? waiter.byteSize : 0;
        return;
      }
      previous = waiter;
    }
  }

  /** Credits bytes after a failed allocation, unless the thread that frees the block does. */
  synchronized void giveBack(long byteSize) {
    if (!isOver()) {
      memory.budget().credit(byteSize);
      reserved -= byteSize;
    }
  }

  private boolean isOver() {
    return claimed || abandoned;
  }

  /** Allocates zeroed memory, all that is reserved; returns the address, or 0 if there is none. */
  long allocate(long byteSize) {
    KeptMemory keptMemory = memory.keptMemory();
    address = keptMemory.take(byteSize);
    if (address != 0) {
      KeptMemory.zero(address, byteSize);
    } else {
      address = keptMemory.allocateZeroed(byteSize);
    }
    return address;
  }

  /**
   * The cleanup action of a scope: frees the block. The scope keeps this object reachable.
   *
   * <p>This object alone keeps the arena reachable; not an automatic arena, which would then never
   * be collected. This object also keeps the first buffer reachable, as the scope of {@link
   * MemorySegment#ofBuffer} does with the JDK's buffers.
   */
  static final class Cleanup implements Consumer<MemorySegment> {
    private final Block block;
    private final @Nullable Arena arena;
    private @Nullable ByteBuffer buffer;

    private Cleanup(DirectMemory memory, @Nullable Arena arena) {
      this.arena = arena;
      this.block = new Block(memory, arena == null ? this : arena.scope());
    }

    /** Makes the action of a shared arena that only {@code DirectMemory.free} closes. */
    static Cleanup ofLifetime(DirectMemory memory, Arena lifetime) {
      Cleanup cleanup = new Cleanup(memory, lifetime);
      // Strongly, it would keep the scope reachable.
      cleanup.block.cleanup = new WeakReference<>(cleanup);
      return cleanup;
    }

    /**
     * Makes the action for memory of an automatic arena. The arena keeps the action reachable until
     * its cleaner has run; so the action is the block's owner. At a full heap the cleaner may fail
     * before it calls the action, and then the collector finds the block.
     */
    static Cleanup ofAutomatic(DirectMemory memory) {
      return new Cleanup(memory, null);
    }

    Block block() {
      return block;
    }

    /**
     * Returns a segment that lives as long as {@code scope}, and that can be freed by hand unless
     * its arena is automatic.
     *
     * @throws IllegalCallerException if native access is denied to Rockpool
     */
    @SuppressWarnings("restricted")
    MemorySegment segment(long start, long byteSize, Arena scope) {
      MemorySegment segment = MemorySegment.ofAddress(start).reinterpret(byteSize, scope, this);
      if (arena != null) {
        Blocks.index(block, arena.scope());
      }
      return segment;
    }

    ByteBuffer keep(ByteBuffer first) {
      buffer = first;
      return first;
    }

    @Override
    public void accept(MemorySegment ended) {
      // Never throws: the JDK would skip the remaining cleanup actions.
      block.tryFree();
    }

    @Override
    public String toString() {
      return "Cleanup[arena=" + arena + ", buffer=" + buffer + "]";
    }
  }

  /** Frees as {@link #free} does; after a failure another thread frees the rest. */
  boolean tryFree() {
    try {
      return free();
    } catch (Throwable later) {
      return false;
    }
  }

  /**
   * Frees all that the block owns, unless another thread has claimed the block. Call once the
   * memory is unreachable or its scope is closed.
   */
  boolean free() {
    if (!claim()) {
      return false;
    }
    next = null;
    try {
      freeClaimed(this);
    } catch (Throwable failure) {
      // No call: there may be no stack left.
      abandoned = true;
      claimed = false;
      Blocks.hasAbandoned = true;
      throw failure;
    }
    return true;
  }

  synchronized boolean claim() {
    if (claimed) {
      return false;
    }
    claimed = true;
    return true;
  }

  /**
   * Frees a batch of blocks that the current thread has claimed: {@code first}, and those that
   * follow as {@link #next}. Locks and counters that allocating threads use, too, are taken once
   * for all: passed from processor to processor for each block, they would cost more than the rest.
   * If this throws, the caller abandons the blocks, by plain writes.
   *
   * <p>Each method called here throws only before its effect, and the effect is recorded at once.
   * Therefore the thread that goes on after a failure does nothing twice.
   */
  static void freeClaimed(Block first) {
    for (Block from = first; from != null; ) {
      Block end = from.next;
      while (end != null && end.memory == from.memory) {
        end = end.next;
      }
      from.memory.keptMemory().freeAll(from, end);
      creditAll(from, end);
      from = end;
    }
    Blocks.removeAll(first);
  }

  private static void creditAll(Block from, @Nullable Block end) {
    Budget budget = from.memory.budget();
    long byteSize = 0;
    for (Block block = from; block != null && block != end; block = block.next) {
      for (Waiter waiter = block.waiters; waiter != null; waiter = block.waiters) {
        budget.line().leave(waiter);
        block.reserved += waiter.served ? waiter.byteSize : 0;
        block.waiters = waiter.nextOfBlock;
      }
      byteSize += block.reserved;
    }
    if (byteSize != 0) {
      budget.credit(byteSize);
      for (Block block = from; block != null && block != end; block = block.next) {
        block.reserved = 0;
      }
    }
  }

  /**
   * Returns the size of a claimed block's memory, if the block has memory: all bytes are settled
   * before memory is allocated.
   */
  long byteSize() {
    return reserved;
  }
}
