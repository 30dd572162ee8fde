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
 * The owner of direct memory and of its share of the budget: of one piece of native memory, or of
 * what an arena of the JDK has reserved.
 *
 * <p>It owns what it gets from the first instant on. It is in {@link Blocks} before anything is
 * reserved; and a plain write to a field, which neither the end of the stack nor that of the heap
 * can prevent, follows each effect: {@code reserved} once bytes are reserved, {@code address} once
 * memory is allocated, and back again. So whatever fails in between, somebody else finds out here
 * what there is to free.
 *
 * <p>It is freed by whoever claims it: when its scope is closed, or when nothing can reach that any
 * more. It is a phantom reference to the one object that every buffer, slice, duplicate, view and
 * segment on that memory keeps reachable: the scope, or a bare buffer, which has none. If freeing
 * fails half-way, it is abandoned: the claim is given back, and the reclaimer, or a thread that
 * waits for memory, frees the rest.
 *
 * <p>Guarded by the monitor of this object is what says so. Whoever has claimed it frees it without
 * the monitor.
 */
final class Block extends PhantomReference<Object> {
  private final DirectMemory memory;

  /**
   * The end of the scope, which keeps it reachable; null if {@code free} does not end the scope.
   */
  private @Nullable WeakReference<Cleanup> cleanup;

  /** Hash of the owner, for {@link Blocks}. */
  final int hash;

  final byte stripe = Blocks.stripeOfThread();

  /** Slot in its stripe of {@link Blocks}, which guards it. */
  int slot = Blocks.NOWHERE;

  /** Whether it is for memory of ours, which the collector may be the one to end. */
  final boolean isCollectable;

  /** Bytes reserved for it, without those its waiters were served. Guarded. */
  private long reserved;

  /** Its requests in line, and those that left the line and are not settled yet. Guarded. */
  private @Nullable Waiter waiters;

  /**
   * Address of its native memory; 0 if it has none. A plain field: the thread that frees the block
   * has it from the garbage collector, from the program, or by a read of {@code abandoned}.
   */
  private long address;

  /** Whether a thread is freeing it, or has freed it. Set with the monitor. */
  private volatile boolean claimed;

  /** Whether anybody may free it. */
  volatile boolean abandoned;

  /** The arena that may have been closed, where the stack ended before that was known. */
  volatile @Nullable Arena perhapsClosed;

  /** Whether this is enqueued once nothing reaches its owner any more. */
  private final boolean isEnqueued;

  private Block(DirectMemory memory, Object owner) {
    super(owner, Reclaimer.QUEUE);
    this.memory = memory;
    this.hash = Blocks.hash(owner);
    this.isCollectable = true;
    this.isEnqueued = true;
  }

  private Block(DirectMemory memory, boolean isCollectable) {
    super(null, null);
    this.memory = memory;
    this.hash = Blocks.hash(this);
    this.isCollectable = isCollectable;
    this.isEnqueued = false;
  }

  /** For the memory of a bare buffer. */
  static Block ofBuffer(DirectMemory memory, ByteBuffer buffer) {
    return new Block(memory, buffer);
  }

  /**
   * For what an arena has reserved that somebody closes, or nobody ever does. Not found by its
   * scope.
   */
  static Block ofArena(DirectMemory memory) {
    return new Block(memory, false);
  }

  /**
   * Bytes that a request takes of the system: with padding for its alignment, as in the JDK, and
   * never 0, so that each block has an address of its own.
   */
  static long byteSizeFor(long byteSize, long byteAlignment) {
    long padding = Math.max(0, byteAlignment - MemorySource.ALIGNMENT);
    // An overflow is beyond every limit.
    long total = byteSize + padding;
    return total < 0 ? Long.MAX_VALUE : Math.max(1, total);
  }

  DirectMemory memory() {
    return memory;
  }

  long address() {
    return address;
  }

  /** The arena whose close frees it; null if it is not to be freed by hand. */
  @Nullable Arena lifetime() {
    Cleanup known = cleanup();
    return known == null ? null : known.arena;
  }

  /** Whether it was handed out as that very buffer, not as a view of its memory. */
  @SuppressWarnings("ReferenceEquality") // buffers with the same content are equal
  boolean isHandedOutAs(ByteBuffer buffer) {
    Cleanup known = cleanup();
    return known != null && known.buffer == buffer;
  }

  private @Nullable Cleanup cleanup() {
    return cleanup == null ? null : cleanup.get();
  }

  /** Whether nothing can reach its memory any more. */
  boolean isUnreachable() {
    return isEnqueued && refersTo(null);
  }

  /** Whether it is to be freed by anybody, after a failure. */
  boolean isAbandoned() {
    Arena closed = perhapsClosed;
    return abandoned || (closed != null && !closed.scope().isAlive());
  }

  /**
   * Reserves {@code byteSize} bytes, and waits for them if it has to. Does nothing if the arena was
   * closed. The caller goes on by {@link Reclaimer#start}, since this may be a new block.
   *
   * @throws OutOfMemoryError if they can't be had
   */
  void reserve(long byteSize) {
    if (!reservesNow(byteSize)) {
      reserveInLine(byteSize);
    }
  }

  /** Nobody else may touch memory of ours before it is handed out; an arena is there before. */
  private boolean reservesNow(long byteSize) {
    return isCollectable ? reservesAlone(byteSize) : reservesBesideClose(byteSize);
  }

  private synchronized boolean reservesBesideClose(long byteSize) {
    return isOver() || reservesAlone(byteSize);
  }

  private boolean reservesAlone(long byteSize) {
    if (slot == Blocks.NOWHERE) { // nobody takes it out before it is over
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

  /** Returns false if the arena was closed: nobody would give back the waiter's bytes. */
  private synchronized boolean adds(Waiter waiter) {
    if (isOver()) {
      return false;
    }
    waiter.nextOfBlock = waiters;
    waiters = waiter;
    return true;
  }

  /** Takes over the bytes a waiter was served, unless they are freed with everything else. */
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

  /** Gives back bytes after a failed allocation, unless they were freed with everything else. */
  synchronized void giveBack(long byteSize) {
    if (!isOver()) {
      memory.budget().credit(byteSize);
      reserved -= byteSize;
    }
  }

  private boolean isOver() {
    return claimed || abandoned;
  }

  /**
   * Allocates zeroed memory, for which {@code byteSize} bytes were reserved and no others.
   *
   * @return its address, or 0 if the system has none
   */
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
   * The end of a scope, which frees the block. The scope keeps this reachable.
   *
   * <p>This keeps the arena reachable, which nobody else does; but not an automatic arena, which
   * would never end then. And this keeps the buffer reachable that was made first: so does the
   * scope of {@link MemorySegment#ofBuffer} with the JDK's own buffers.
   */
  static final class Cleanup implements Consumer<MemorySegment> {
    private final Block block;
    private final @Nullable Arena arena;
    private @Nullable ByteBuffer buffer;

    private Cleanup(Block block, @Nullable Arena arena) {
      this.block = block;
      this.arena = arena;
    }

    /**
     * For memory whose scope is a shared arena that nobody closes but {@code DirectMemory.free}.
     */
    static Cleanup ofLifetime(DirectMemory memory, Arena lifetime) {
      Block block = new Block(memory, lifetime.scope());
      Cleanup cleanup = new Cleanup(block, lifetime);
      block.cleanup = new WeakReference<>(cleanup); // strongly, it would keep the scope reachable
      return cleanup;
    }

    /** For memory of an automatic arena. */
    static Cleanup ofAutomatic(DirectMemory memory) {
      return new Cleanup(new Block(memory, true), null);
    }

    Block block() {
      return block;
    }

    /**
     * A segment that ends with {@code scope}.
     *
     * @throws IllegalCallerException if native access is denied to Rockpool
     */
    @SuppressWarnings("restricted")
    MemorySegment segment(long start, long byteSize, Arena scope) {
      return MemorySegment.ofAddress(start).reinterpret(byteSize, scope, this);
    }

    ByteBuffer keep(ByteBuffer first) {
      buffer = first;
      return first;
    }

    @Override
    public void accept(MemorySegment ended) {
      // Nothing is to be thrown: the JDK would not run what comes after it.
      block.tryFree();
    }

    @Override
    public String toString() {
      return "Cleanup[arena=" + arena + ", buffer=" + buffer + "]";
    }
  }

  /** Frees as {@link #free} does; after a failure, which stays untold, another thread goes on. */
  boolean tryFree() {
    try {
      return free();
    } catch (Throwable later) {
      return false;
    }
  }

  /**
   * Frees what it owns, unless somebody else is at it or has done so. Nothing may reach its memory
   * any more, or its scope has ended.
   *
   * <p>Each of these methods throws only before it had an effect. And what has had its effect is
   * not owned any more: so whoever goes on after a failure does nothing twice.
   */
  boolean free() {
    if (!claim()) {
      return false;
    }
    boolean done = false;
    try {
      if (address != 0) {
        memory.keptMemory().free(address, reserved);
        address = 0;
      }
      Budget budget = memory.budget();
      for (Waiter waiter = waiters; waiter != null; waiter = waiters) {
        budget.line().leave(waiter);
        reserved += waiter.served ? waiter.byteSize : 0;
        waiters = waiter.nextOfBlock;
      }
      if (reserved != 0) {
        budget.credit(reserved);
        reserved = 0;
      }
      Blocks.remove(this);
      done = true;
      return true;
    } finally {
      if (!done) {
        abandoned = true;
        claimed = false;
        Blocks.hasAbandoned = true;
      }
    }
  }

  private synchronized boolean claim() {
    if (claimed) {
      return false;
    }
    claimed = true;
    return true;
  }
}
